import { createMiner, type Miner, type MiningRun } from '../../../../core/learning/miner/miner.ts'
import { createSandbox, type Sandbox } from '../../../../core/sandbox/sandbox.ts'
import { spawnSandbox } from '../../../support/children.ts'

/** A real sandbox with real children, to be closed. */
export function sandboxForTests(): Sandbox {
  return createSandbox({ spawn: spawnSandbox, warm: 1, monotonicMs: () => performance.now() })
}

/** Names of actions that the engine has, some of which a function could be called. */
export const hostActions = ['http', 'read_file', 'write_file', 'list_files', 'move', 'delete', 'message', 'table']

/** One that takes a run of its own for each thread. */
export function minerForTests(sandbox: Sandbox, monotonicMs = () => performance.now()): Miner & MiningRun {
  const miner = createMiner({ sandbox, monotonicMs, actions: () => hostActions })
  return { ...miner, mine: (task) => miner.startRun(new AbortController().signal).mine(task) }
}
