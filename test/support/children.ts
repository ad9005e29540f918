import path from 'node:path'
import { inject } from 'vitest'
import { type SpawnSandbox, spawnNode } from '../../core/sandbox/sandbox.ts'

const built = (name: string) => path.join(inject('childrenFolder'), `${name}.js`)

/** Entries of the engine's children, built once for all tests. */
export const sandboxChild = built('sandbox-child')
export const localChild = built('local-child')
export const storeWorker = built('store-worker')

/** Real children, in which real code runs. */
export const spawnSandbox: SpawnSandbox = spawnNode(sandboxChild)
export const spawnLocal: SpawnSandbox = spawnNode(localChild)
