import type { ApiInput } from '../../core/api.ts'
import type { ApprovalRequestedBody, Change } from '../../core/domain/approval.ts'
import { isJsonObject, type Json } from '../../core/domain/json.ts'

type Arguments = NonNullable<ApiInput<'approval.decide'>['edited']>

/** What a person made of the arguments, and what it would change as far as can be told here. */
export interface Edited {
  readonly args: Arguments
  readonly change: Change
}

/** The text that an editor begins with: the new content of a file where that is what would be written, else all arguments. */
export function editTextOf({ arguments: args, change }: ApprovalRequestedBody): string {
  return contentOf(args, change) ?? JSON.stringify(args, null, 2)
}

/** Only a file that is written whole can be edited as text. */
export function editsContent({ arguments: args, change }: ApprovalRequestedBody): boolean {
  return contentOf(args, change) !== null
}

function contentOf(args: Json, change: Change | null): string | null {
  const isWhole = change?.kind === 'file' && isJsonObject(args) && typeof args.content === 'string'
  return isWhole && typeof args.content === 'string' ? args.content : null
}

/** The edit as arguments, or what is wrong with it. */
export function editedOf(body: ApprovalRequestedBody, text: string): Edited | { readonly problem: string } {
  const { arguments: args, change } = body
  if (editsContent(body) && isJsonObject(args) && change?.kind === 'file')
    return { args: copyOf({ ...args, content: text }), change: { ...change, after: text } }
  const parsed = parsedObject(text)
  if (parsed === null) return { problem: 'This is no JSON object. Nothing was decided.' }
  const before = JSON.stringify(args, null, 2)
  const after = JSON.stringify(parsed, null, 2)
  return { args: parsed, change: { kind: 'file', path: 'arguments', before, after } }
}

function copyOf(value: Json): Arguments {
  return JSON.parse(JSON.stringify(value))
}

function parsedObject(text: string): Arguments | null {
  try {
    const value: Arguments[string] = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
