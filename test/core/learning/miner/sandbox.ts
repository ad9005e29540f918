import { createSandbox, type Sandbox } from '../../../../core/sandbox/sandbox.ts'
import { spawnSandbox } from '../../../support/children.ts'

/** A real sandbox with real children, to be closed. */
export function sandboxForTests(): Sandbox {
  return createSandbox({ spawn: spawnSandbox, warm: 1, monotonicMs: () => performance.now() })
}
