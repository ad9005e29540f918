import path from 'node:path'
import { FormData } from 'undici'
import { limits } from '../../domain/limits.ts'
import type { PreflightContext } from '../action.ts'
import { refusal } from '../actions/refusal.ts'
import { sha256Of } from '../fingerprint.ts'
import { openProject, withFile } from '../paths.ts'
import type { Outgoing, UploadFile } from './outgoing.ts'

/** A file of the project that is about to leave. */
export interface Upload {
  readonly file: UploadFile
  readonly bytes: Buffer
  readonly sha256: string
}

/** Reads what would be sent. @throws AppError http.too_large, and what a file that cannot be read throws. */
export async function readUploads(files: readonly UploadFile[], context: PreflightContext): Promise<readonly Upload[]> {
  if (files.length === 0) return []
  const root = await openProject(context)
  const uploads: Upload[] = []
  let total = 0
  for (const file of files) {
    const bytes = await withFile(root, file.path, async ({ handle, bytes: size }) => {
      total += size
      if (total > limits.httpUploadBytes) throw tooMuch(total)
      return handle.readFile()
    })
    uploads.push({ file, bytes, sha256: sha256Of(bytes) })
  }
  return uploads
}

function tooMuch(bytes: number) {
  return refusal(
    'http.too_large',
    `The files have ${bytes} bytes or more together; ${limits.httpUploadBytes} may be sent at once. Nothing was sent.`,
    { bytes, limit: limits.httpUploadBytes },
  )
}

/** The body as bytes of its type; undefined where there is none. */
export function encodedBody(
  { body, form }: Outgoing,
  uploads: readonly Upload[],
): { readonly body: string | FormData; readonly type: string | null } | undefined {
  if (body !== null) return { body: body.text, type: body.type }
  if (uploads.length > 0) {
    const data = new FormData()
    for (const [name, value] of form) data.append(name, value)
    for (const { file, bytes } of uploads) {
      const blob = new Blob([new Uint8Array(bytes)], { type: file.type ?? 'application/octet-stream' })
      data.append(file.field, blob, file.name ?? path.basename(file.path))
    }
    // The boundary is made with the bytes, and names itself in the type.
    return { body: data, type: null }
  }
  if (form.length === 0) return undefined
  const encoded = new URLSearchParams(form.map(([name, value]) => [name, value]))
  return { body: encoded.toString(), type: 'application/x-www-form-urlencoded' }
}
