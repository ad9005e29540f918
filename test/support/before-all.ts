import fs from 'node:fs'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundle } from './bundle.ts'
import { makeQuickDisk } from './quick-disk.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the bundles of this run's children. */
    readonly childrenFolder: string
  }
}

const results = path.resolve(import.meta.dirname, '../../test-results')

/**
 * Once before all tests: the disk in memory, and the engine's children as the app has them, in a bundle each. Tests start some
 * hundreds of them, and from its sources each start takes three times as much of the processor.
 */
export default async function beforeAllTests(project: TestProject): Promise<() => void> {
  const removeQuickDisk = makeQuickDisk()
  fs.mkdirSync(results, { recursive: true })
  const folder = fs.mkdtempSync(path.join(results, 'children-'))
  const input = {
    'sandbox-child': 'core/sandbox/child.ts',
    'local-child': 'core/models/local/child.ts',
  }
  await bundle({ folder, input })
  project.provide('childrenFolder', folder)
  return () => {
    fs.rmSync(folder, { recursive: true })
    removeQuickDisk()
  }
}
