import type { HttpCredential } from './credential.ts'

/** What one active skill lets the requests of a thread do. */
export interface SkillAccess {
  readonly skill: string
  /** The person answers for it: not from elsewhere. */
  readonly isTrusted: boolean
  readonly credentials: readonly HttpCredential[]
  /** Read without a credential. */
  readonly openHosts: readonly string[]
  /** The person's own server in the place of a host: its base URL. */
  readonly addresses: Readonly<Record<string, string>>
}

/** What `http` may do, asked at each call: a person may connect, disconnect and allow at any time. Given at wiring (RULES 32). */
export interface HttpAccess {
  /** By the skills that are active in a thread. */
  ofThread(threadId: string): readonly SkillAccess[]
  /** Origins that the person allowed for good. */
  origins(): readonly string[]
  /** @throws AppError http.credential where it is not connected; secret.unavailable where it cannot be read. */
  value(credential: HttpCredential): Promise<string>
  /** What the service said to a request that carried it. */
  answered(credential: HttpCredential, status: number): void
}
