import { readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { CustomScheme } from 'electron'

export const appOrigin = 'app://threadsmith'

/** To be registered before `ready`: a standard, secure origin, so that storage, fetch and code caching work as on https. */
export const appScheme: CustomScheme = {
  scheme: 'app',
  privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
}

/** What a page of the app may load: its own files and nothing else. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/**
 * The file that an address names, or null. `app://threadsmith/` is index.html; any other host, any way out of `folder` by
 * dots, slashes or encodings, and any type of file that the app has none of, names nothing.
 */
export function fileOf(address: string, folder: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || `${url.protocol}//${url.host}` !== appOrigin) return null
  const pathname = decodePath(url.pathname)
  if (pathname === null || ['\0', '\\', ':'].some((character) => pathname.includes(character))) return null
  const segments = pathname.split('/').filter((segment) => segment !== '')
  if (segments.some((segment) => segment === '.' || segment === '..')) return null
  const file = path.join(folder, ...(segments.length === 0 ? ['index.html'] : segments))
  return path.extname(file) in types ? file : null
}

function decodePath(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname)
  } catch {
    // A malformed escape names no file.
    return null
  }
}

/** Answers `app://` requests with the files of `folder`, and with nothing that a link inside it may point to elsewhere. */
export function createAppHandler(folder: string): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refusal(405)
    const file = fileOf(request.url, folder)
    const bytes = file === null ? null : await readInside(file, folder)
    if (file === null || bytes === null) return refusal(404)
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(bytes), {
      headers: {
        'Content-Type': types[path.extname(file)] ?? 'application/octet-stream',
        'Content-Security-Policy': contentSecurityPolicy,
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Referrer-Policy': 'no-referrer',
      },
    })
  }
}

function refusal(status: number): Response {
  return new Response(null, { status, headers: { 'Content-Security-Policy': contentSecurityPolicy } })
}

async function readInside(file: string, folder: string): Promise<Buffer | null> {
  try {
    const [real, root] = await Promise.all([realpath(file), realpath(folder)])
    return real.startsWith(root + path.sep) ? await readFile(real) : null
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')) return null
    throw error
  }
}
