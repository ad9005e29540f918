import { AppError } from '../../../domain/error.ts'

const reasons: Partial<Record<string, string>> = {
  'action.binary': 'binary',
  'action.encoding': 'not UTF-8',
  'action.too_large': 'too large',
  'action.not_found': 'gone since the folder was read',
}

/** Why a file was left out, in a few words. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof AppError) return reasons[cause.code] ?? cause.message
  return cause instanceof Error ? cause.message : String(cause)
}
