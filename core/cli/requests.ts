import type { EffectType } from '../domain/action.ts'
import type { Approval, Change } from '../domain/approval.ts'
import type { Json } from '../domain/json.ts'
import type { Access } from './access.ts'
import { type DiffLine, unifiedDiff } from './diff.ts'
import type { Terminal } from './terminal.ts'

/** A request as a person is shown it: all that would happen, so that a yes is a yes to that. */
export async function showRequest(access: Access, terminal: Terminal, request: Approval): Promise<void> {
  const { id, threadNumber, action, summary, effects, reason, undo, expiresAt, requestSeq } = request
  const { change, args } = await whatIsAsked(access, requestSeq)
  terminal.line(`#${threadNumber} asks for ${action} ${visible(summary)}  `, terminal.dim(id))
  terminal.line(`  ${effects.map((effect) => effectWords[effect]).join(', ')}`)
  if (reason !== '') terminal.line(`  ${visible(reason)}`)
  if (undo !== '') terminal.line(`  ${visible(undo)}`)
  terminal.line(terminal.dim(`  ${request.state === 'pending' ? 'open until' : request.state} ${iso(expiresAt)}`))
  const lines = change === null ? [plain(JSON.stringify(args, null, 2))] : linesOf(change)
  showDiff(terminal, lines)
}

export function showDiff(terminal: Terminal, lines: readonly DiffLine[]): void {
  for (const { kind, text } of lines) {
    const safe = visible(text)
    if (kind === 'added' || kind === 'removed') terminal.line('  ', terminal.status(safe, kind === 'added'))
    else terminal.line('  ', kind === 'head' ? terminal.dim(safe) : safe)
  }
}

/** What an action may touch, as people say it. */
const effectWords: Readonly<Record<EffectType, string>> = {
  ReadLocal: 'reads files of the project',
  ReadExternal: 'reads from the network',
  WriteLocal: 'changes files of the project',
  WriteExternal: 'changes something outside of this computer',
  CredentialedNetwork: 'uses one of your keys on the network',
  Compute: 'runs a program',
  Financial: 'costs money',
}

async function whatIsAsked(access: Access, seq: number): Promise<{ change: Change | null; args: Json }> {
  const event = await access.call('event.body', { seq })
  if (event.kind !== 'approval.requested') return { change: null, args: null }
  return { change: event.body.change, args: event.body.arguments }
}

function linesOf(change: Change): readonly DiffLine[] {
  switch (change.kind) {
    case 'file': {
      const diff = unifiedDiff(change.path, change.before, change.after)
      const same = diff.length === 0 ? [plain(`${change.path} stays as it is`)] : diff
      return change.note === undefined ? same : [...same, plain(change.note)]
    }
    case 'move':
      return [plain(`${change.from} → ${change.to}${change.replaces ? ', in place of what is there' : ''}`)]
    case 'command': {
      const jail = change.jail === 'none' ? 'without a jail' : 'in a jail'
      const concerns = change.concerns.map((concern) => plain(`! ${concern}`))
      return [plain(`$ ${change.command}`), plain(`in ${change.folder}, ${jail}`), ...concerns]
    }
    case 'request':
      return requestLines(change).map(plain)
    case 'text':
      return change.text.split('\n').map(plain)
  }
}

function requestLines(change: Extract<Change, { kind: 'request' }>): readonly string[] {
  const { method, url, address, credential, headers, body, files, saveTo } = change
  return [
    `${method} ${url}`,
    ...(address === null ? [] : [`goes to ${address}`]),
    credential === null ? 'without a credential' : `with your ${credential.name} of the skill ${credential.skill}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...files.map(({ field, path, bytes }) => `file ${field}: ${path}, ${bytes} bytes`),
    ...(body === null ? [] : [`${body.type}, ${body.bytes} bytes:`, ...body.text.split('\n')]),
    ...(saveTo === null ? [] : [`the answer is saved to ${saveTo}`]),
  ]
}

function plain(text: string): DiffLine {
  return { kind: 'same', text }
}

/** A terminal drops what could steer it; here it is shown, because it is part of what is decided on. */
function visible(text: string): string {
  return text.replace(steering, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `⟦U+${code.toString(16).toUpperCase().padStart(4, '0')}⟧`
  })
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: showing them is what this is for
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

function iso(at: number): string {
  return new Date(at).toISOString()
}
