import os from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { quickDisk } from './support/quick-disk.ts'

const exclude = ['test/e2e/**', 'test/bench/**', 'node_modules/**']
/**
 * What replaces a module needs a process that has not loaded it yet, and a native library may leave something behind: such a file
 * is called `….alone.test.ts`.
 */
const alone = 'test/**/*.alone.test.ts'

/** Whole life-cycles take minutes: begun last, one of them would run while nothing else is left. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => /[/\\](?:scenarios|kill|faults)[/\\]/.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    environment: 'node',
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // By default vitest leaves one core to itself, which of two is half.
    maxWorkers: Math.max(2, os.availableParallelism() - 1),
    globalSetup: 'test/support/before-all.ts',
    env: quickDisk === undefined ? {} : { TMPDIR: quickDisk },
    server: { deps: { external: [/@pydantic\/monty/, /better-sqlite3/] } },
    // Ends what hangs. No test asserts a time by it: on a machine that does other work a wait of seconds can take a minute.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...exclude, alone],
          // One process for many files: to load the engine anew for each of them would take most of the time. No file may
          // leave anything behind for the next, which the set-up file sees to.
          isolate: false,
          setupFiles: ['test/support/leave-nothing.ts'],
        },
      },
      { extends: true, test: { name: 'alone', include: [alone], exclude } },
    ],
  },
})
