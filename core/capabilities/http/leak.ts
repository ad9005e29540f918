import { scanSecrets } from '../../domain/leaks/scan.ts'
import { refusal } from '../actions/refusal.ts'
import type { Outgoing } from './outgoing.ts'
import type { Upload } from './upload.ts'

/** Nothing that looks like a secret leaves in what the model wrote; the credential is added after this. @throws AppError http.leak */
export function refuseLeaks(request: Outgoing, uploads: readonly Upload[]): void {
  const parts: readonly (readonly [string, string])[] = [
    ['the URL', request.url.href],
    ...Object.entries(request.headers).map(([name, value]) => [`the header "${name}"`, `${name}: ${value}`] as const),
    ['the body', request.body?.text ?? ''],
    ...request.form.map(([name, value]) => [`the field "${name}"`, `${name}=${value}`] as const),
    ...uploads.map(({ file, bytes }) => [`the file "${file.path}"`, bytes.toString('latin1')] as const),
  ]
  for (const [where, text] of parts) {
    const [hit] = scanSecrets(text)
    if (hit === undefined) continue
    throw refusal(
      'http.leak',
      `${where.charAt(0).toUpperCase()}${where.slice(1)} holds what looks like a secret (${hit.family}, characters ${hit.start} to ${hit.end}), so nothing was sent. Credentials are added to requests by themselves; leave it out.`,
      { where, family: hit.family, start: hit.start, end: hit.end },
    )
  }
}
