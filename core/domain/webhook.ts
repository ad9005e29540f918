/** Why a delivery did not set off a mission: a closed list of its own beside the codes of errors (RULES 31), each with its status. */
export const webhookRefusals = {
  /** It was delivered before: nothing happens again, and whoever sends it may stop trying. */
  'webhook.duplicate': 200,
  'webhook.malformed': 400,
  'webhook.json': 400,
  /** Its identity, time or signature is not there, or is no such thing. */
  'webhook.headers': 401,
  'webhook.time': 401,
  /** Also where there is no such mission: who has no secret learns nothing. */
  'webhook.signature': 401,
  'webhook.origin': 403,
  'webhook.not_found': 404,
  'webhook.slow': 408,
  'webhook.state': 409,
  'webhook.too_large': 413,
  'webhook.content_type': 415,
  'webhook.host': 421,
  'webhook.rate': 429,
  'webhook.header_size': 431,
  'webhook.failed': 500,
  'webhook.unavailable': 503,
} as const
export type WebhookCode = keyof typeof webhookRefusals

/** What the door for webhooks stands at. `refused`: how many, by their code, since it was opened. */
export type WebhookStatus =
  | { readonly state: 'off' }
  | {
      readonly state: 'listening'
      readonly port: number
      readonly refused: Readonly<Partial<Record<WebhookCode, number>>>
    }
  | { readonly state: 'failed'; readonly reason: string }

/** Of one mission. */
export interface WebhookDoor {
  /** Where to send deliveries; null while nothing listens. */
  readonly url: string | null
  /** Epoch ms; null where there is no secret yet, and nothing can be delivered. */
  readonly secretMadeAt: number | null
}

/** Answered once, when it is made: nothing tells it again. */
export interface WebhookSecret extends WebhookDoor {
  readonly secret: string
}
