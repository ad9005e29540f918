import type { Change } from '../../../../core/domain/approval.ts'
import { isJsonObject, type Json } from '../../../../core/domain/json.ts'

type RequestChange = Extract<Change, { kind: 'request' }>

/** What an answered `http` call is worth a line each for. Null: not on record, so it is not shown. */
export interface HttpOutcome {
  readonly status: number | null
  /** Who answered: the address that the person set, or the host. */
  readonly host: string | null
  readonly credential: RequestChange['credential'] | null
  readonly redirect: { readonly to: string; readonly isFollowed: boolean } | null
  readonly savedTo: string | null
}

/** Reads the outcome from what was told beforehand and what came back. */
export function httpOutcomeOf(result: Json, change: Change | null): HttpOutcome {
  const request = change?.kind === 'request' ? change : null
  const answer = isJsonObject(result) ? result : {}
  const status = typeof answer.status === 'number' ? answer.status : null
  return {
    status,
    host: request === null ? hostOf(textOf(answer.url)) : (request.address ?? request.host),
    credential: request?.credential ?? null,
    redirect: redirectOf(answer, status, request?.address === null ? request.url : null),
    savedTo: savedTo(answer) ?? (status === null ? null : (request?.saveTo ?? null)),
  }
}

function redirectOf(
  { url, headers }: { readonly [key: string]: Json },
  status: number | null,
  asked: string | null,
): HttpOutcome['redirect'] {
  const location = isJsonObject(headers) ? textOf(headers.location) : null
  if (status !== null && status >= 300 && status < 400 && location !== null) return { to: location, isFollowed: false }
  const from = hostOf(asked)
  const to = textOf(url)
  return from === null || to === null || hostOf(to) === from ? null : { to, isFollowed: true }
}

function savedTo(answer: { readonly [key: string]: Json }): string | null {
  const { saved_to: path, saved } = answer
  return textOf(path) ?? textOf(saved) ?? (isJsonObject(saved) ? textOf(saved.path) : null)
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function hostOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).host : null
}
