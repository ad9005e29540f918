import type { ErrorBody } from './error.ts'

/** Where a credential stands in a request. Source: seed E, `credentials` of a SKILL.md. */
export type CredentialPlace = 'bearer' | 'header' | 'basic' | 'query'

/**
 * `changed`: the skill, or the person, named other hosts since it was entered, so it is not used until it is entered again.
 * `refused`: the service said no when it was last used. `unreadable`: it is kept, but cannot be decrypted here.
 */
export type CredentialState = 'connected' | 'missing' | 'changed' | 'refused' | 'unreadable'

/** What a skill needs for one service. The value itself is in the keychain and never leaves the main process. */
export interface IntegrationCredential {
  readonly name: string
  readonly provider: string
  readonly place: CredentialPlace
  /** Of a header or a query, where it is one. */
  readonly placeName: string | null
  /** Exact names; it goes to no other. */
  readonly hosts: readonly string[]
  /** It goes along below these paths only; empty: below all. */
  readonly paths: readonly string[]
  /** How a person gets one, as the skill says: text of the skill, never markup. */
  readonly instructions: string
  readonly state: CredentialState
  /** Epoch ms. */
  readonly connectedAt: number | null
  /** The last answer of the service to it; null before the first. */
  readonly lastCheck: CredentialCheck | null
  /** There is a harmless request that shows whether it works. */
  readonly isTestable: boolean
}

export interface CredentialCheck {
  /** Epoch ms. */
  readonly at: number
  readonly ok: boolean
  /** HTTP status; null where there was no answer. */
  readonly status: number | null
  /** For the person; '' where all is well. */
  readonly message: string
}

/** A skill that talks to services, with what it needs for that. */
export interface Integration {
  readonly skill: string
  readonly description: string
  readonly credentials: readonly IntegrationCredential[]
  /** Hosts that it reads without a credential. */
  readonly openHosts: readonly string[]
  /** A server of the person's own that is asked in the place of a host: GitHub Enterprise, a gateway, a test server. */
  readonly addresses: Readonly<Record<string, string>>
}

/** All integrations, and what could not be read: a skill that does not load is never silent. */
export interface Integrations {
  readonly integrations: readonly Integration[]
  readonly problems: readonly { readonly file: string; readonly error: ErrorBody }[]
}
