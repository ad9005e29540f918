import path from 'node:path'
import { inject } from 'vitest'
import { type SpawnSandbox, spawnNode } from '../../core/sandbox/sandbox.ts'

const built = (name: string) => path.join(inject('childrenFolder'), `${name}.js`)

/** Entry of a sandbox child, built once for all tests. */
export const sandboxChild = built('sandbox-child')

/** Real children, in which real code runs. */
export const spawnSandbox: SpawnSandbox = spawnNode(sandboxChild)
/** Real ones, in which a real model runs. */
export const spawnLocal: SpawnSandbox = spawnNode(built('local-child'))
