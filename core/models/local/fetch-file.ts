import { Agent, fetch, Headers, type Response } from 'undici'
import { AppError } from '../../domain/error.ts'
import { limits } from '../../domain/limits.ts'

/** Which part of a file to ask for: from `from` on, if the file still has that tag. */
export interface Wanted {
  readonly from: number
  readonly etag: string | null
}

/** GETs a file, following redirects. Same waits as models: ours alone. */
export interface FileFetcher {
  /** @throws AppError local.download */
  open(url: string, wanted: Wanted, signal: AbortSignal): Promise<Response>
  close(): Promise<void>
}

export function createFileFetcher(): FileFetcher {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  return {
    async open(url, { from, etag }, signal) {
      const headers = new Headers({ 'accept-encoding': 'identity' })
      // Without a tag nobody knows whether the rest belongs to the same file.
      if (from > 0 && etag !== null) {
        headers.set('range', `bytes=${from}-`)
        headers.set('if-range', etag)
      }
      let at = new URL(url)
      for (let redirects = 0; redirects <= limits.downloadRedirects; redirects += 1) {
        const response = await fetch(at, { dispatcher: agent, signal, redirect: 'manual', headers })
        const location = response.headers.get('location')
        if (response.status < 300 || response.status >= 400 || location === null) return response
        await response.body?.cancel()
        at = nextPlace(at, location)
      }
      throw downloadFailed(
        `more than ${limits.downloadRedirects} redirects from ${url}`,
        'The server sends requests in circles.',
      )
    },
    close: () => agent.destroy(),
  }
}

/** A redirect may not lead out of encryption. */
function nextPlace(from: URL, location: string): URL {
  const to = URL.canParse(location, from) ? new URL(location, from) : null
  if (to !== null && (to.protocol === 'https:' || (to.protocol === 'http:' && from.protocol === 'http:'))) return to
  throw downloadFailed(
    `a redirect from ${from.origin} to ${location.slice(0, 200)}`,
    'The server sends requests to an address that is not encrypted.',
  )
}

export function downloadFailed(message: string, words: string, cause?: unknown): AppError {
  return new AppError('local.download', {
    message,
    userMessage: `The download broke off. ${words} What has arrived is kept: “Resume” goes on from there.`,
    cause,
    retryable: true,
  })
}
