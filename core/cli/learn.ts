import { AppError } from '../domain/error.ts'
import type { LearntEntry } from '../domain/learnt.ts'
import type { Access } from './access.ts'
import type { LearnCommand } from './learn-commands.ts'
import type { Terminal } from './terminal.ts'

/** `learn status`: what is in force, what waits, and how far the learning missions have looked. */
export async function showStatus(access: Access, terminal: Terminal): Promise<number> {
  const status = await access.call('learn.status', {})
  const { autoApply, pending, live, fixes, cursors } = status
  terminal.json(status)
  terminal.line(`in force      ${live.overlay} rules, ${live.insight} insights, ${live.setting} settings`)
  terminal.line(`waiting       ${pending}`)
  terminal.line(`known fixes   ${fixes}`)
  terminal.line(
    `by itself     ${autoApply ? 'one rule or one fact at a time, from threads without foreign text' : 'nothing'}`,
  )
  for (const { mission, projectId, seq } of cursors)
    terminal.line(terminal.dim(`${mission} has read up to event ${seq} of ${projectId}`))
  return 0
}

/** `learn list`: everything that was learnt or is proposed, the newest first. */
export async function listLearnt(access: Access, terminal: Terminal): Promise<number> {
  const entries = await access.call('learn.list', {})
  for (const entry of entries) {
    terminal.json(entry)
    const { id, kind, state, text } = entry
    terminal.line(terminal.status(state.padEnd(8), state === 'live'), ` ${kind.padEnd(8)} ${text}  `, terminal.dim(id))
    const effect = effectWords(entry)
    if (effect !== null) terminal.line(terminal.dim(`  ${effect}`))
  }
  if (entries.length === 0) terminal.note('nothing was learnt yet')
  return 0
}

function effectWords({ kind, effect }: LearntEntry): string | null {
  if (kind !== 'overlay' || effect === null) return null
  const { before, after } = effect
  const was = before === null ? 'unknown before' : `${before.issues} of ${before.n} threads before`
  return `its issue: ${was}, ${after.issues} of ${after.n} since`
}

type Decision = Extract<LearnCommand, { readonly id: string }>

/** `learn approve|reject|undo <id>`: bound to the text as it is at this moment, which is shown. */
export async function decideLearnt(access: Access, terminal: Terminal, command: Decision): Promise<number> {
  const { name, id } = command
  const reason = command.reason === undefined ? {} : { reason: command.reason }
  const entry = (await access.call('learn.list', { limit: 1_000 })).find((each) => each.id === id)
  if (entry === undefined) throw unknownId(id)
  const after =
    name === 'learn undo'
      ? await access.call('learn.undo', { id, ...reason })
      : await access.call('learn.decide', {
          ...{ id, decision: name === 'learn approve' ? 'approve' : 'reject', ...reason },
          // One that is decided has none any more; the answer says so.
          sha256: entry.sha256 ?? '0'.repeat(64),
        })
  terminal.json({ id, kind: after.kind, state: after.state })
  terminal.line(terminal.status(after.state, after.state === 'live'), ` ${after.text}`)
  return 0
}

function unknownId(id: string): AppError {
  return new AppError('learn.not_found', {
    message: `nothing learnt has the id ${id}`,
    userMessage: 'There is nothing learnt with that id. Nothing was changed. `learn list` shows them.',
  })
}
