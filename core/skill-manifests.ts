import type { Network } from './capabilities/capabilities.ts'
import { AppError } from './domain/error.ts'
import { limits } from './domain/limits.ts'
import { type FetchText, manifestError } from './skills/skills.ts'

/**
 * Manifests over https, from the public internet and servers that the person named; what the network layer refuses is refused here.
 * A redirect is followed to https only, and without the headers where it leads to another origin.
 */
export function createManifestFetch(network: Pick<Network, 'send'>): FetchText {
  return async (url, { headers, maxBytes, timeoutMs, signal }) => {
    const asked = { accept: 'application/json', ...headers }
    const mayFollow = (to: URL) => to.protocol === 'https:'
    const answer = await network
      .send({ method: 'GET', url, headers: asked, maxBytes, timeoutMs, signal, mayFollow })
      .catch((error: unknown) => {
        signal.throwIfAborted()
        throw manifestError(url, failures[error instanceof AppError ? error.code : ''] ?? 'the request failed', error)
      })
    if (!answer.ok) throw manifestError(url, `${answer.reason.replace(/\.$/, '')} (${answer.code})`)
    if (answer.status !== 200) throw manifestError(url, `the server answers ${answer.status}`)
    if (answer.isCut) throw manifestError(url, `it is larger than ${maxBytes / 1_048_576} MiB`)
    return textOf(url, answer.body)
  }
}

/** The same for skills of a host, which checks what it holds by itself. @throws AppError skill.manifest for what is no JSON. */
export function readManifestBy(
  fetchText: FetchText,
): (url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<unknown> {
  return async (url, headers, signal) => {
    const { manifestBytes: maxBytes, manifestMs: timeoutMs } = limits
    const text = await fetchText(url, { headers, maxBytes, timeoutMs, signal })
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw manifestError(url, 'it is no JSON', cause)
    }
  }
}

const failures: Readonly<Record<string, string>> = {
  'http.connect': 'no connection could be made',
  'http.lost': 'the connection was lost in the middle of the answer',
  'http.timeout': 'there was no whole answer in time',
}

function textOf(url: string, body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (cause) {
    throw manifestError(url, 'it is not UTF-8', cause)
  }
}
