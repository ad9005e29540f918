import path from 'node:path'
import { createSandbox, type Sandbox, spawnNode } from '../../../../core/sandbox/sandbox.ts'

/** A real sandbox with real children, to be closed. */
export function sandboxForTests(): Sandbox {
  const childFile = path.resolve(import.meta.dirname, '../../../../core/sandbox/child.ts')
  return createSandbox({ spawn: spawnNode(childFile), warm: 1, monotonicMs: () => performance.now() })
}
