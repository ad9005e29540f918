import type { Redactor } from '../../domain/leaks/redactor.ts'
import { refusal } from '../actions/refusal.ts'
import type { Outgoing } from './outgoing.ts'
import type { Upload } from './upload.ts'

/**
 * No key that is kept here, in whatever encoding, and nothing that looks like a secret leaves in what the model wrote; the
 * credential is added after this. @throws AppError http.leak
 */
export function refuseLeaks(request: Outgoing, uploads: readonly Upload[], redactor: Redactor): void {
  const parts: readonly (readonly [string, string])[] = [
    ['the URL', request.url.href],
    ...Object.entries(request.headers).map(([name, value]) => [`the header "${name}"`, `${name}: ${value}`] as const),
    ['the body', request.body?.text ?? ''],
    ...request.form.map(([name, value]) => [`the field "${name}"`, `${name}=${value}`] as const),
    ...uploads.map(({ file, bytes }) => [`the file "${file.path}"`, bytes.toString('latin1')] as const),
  ]
  for (const [where, text] of parts) {
    const [hit] = redactor.redact(text).hits
    if (hit === undefined) continue
    throw refusal(
      'http.leak',
      `${where.charAt(0).toUpperCase()}${where.slice(1)} holds what looks like a secret (${hit.what}, characters ${hit.start} to ${hit.end}), so nothing was sent. Credentials are added to requests by themselves; leave it out.`,
      { where, what: hit.what, start: hit.start, end: hit.end },
    )
  }
}
