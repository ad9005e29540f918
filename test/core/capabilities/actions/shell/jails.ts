import { findBubblewrap } from '../../../../../core/capabilities/actions/shell/jail.ts'
import { type CommandToRun, runCommand } from '../../../../../core/capabilities/actions/shell/run.ts'

export const bubblewrap = await findBubblewrap()

/** Every way in which a command can run on this machine: where bubblewrap is missing, its tests are left out and named. */
export const jails = [
  { name: 'without a jail', bubblewrap: null, isHere: true },
  { name: 'in bubblewrap', bubblewrap, isHere: bubblewrap !== null },
] as const

/** Runs a bash text, or words. */
export function run(asked: string | readonly string[], given: Partial<CommandToRun> & { folder: string }) {
  return runCommand({
    command: typeof asked === 'string' ? asked : asked.join(' '),
    argv: typeof asked === 'string' ? null : asked,
    dataDir: '/nowhere/data',
    environment: { PATH: process.env.PATH },
    timeZone: 'Europe/Berlin',
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    bubblewrap: null,
    ...given,
  })
}
