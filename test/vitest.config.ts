import os from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/e2e/**', 'test/bench/**', 'node_modules/**'],
    environment: 'node',
    pool: 'forks',
    // One process for many files: to load the engine anew for each of them would take most of the time. No file may leave
    // anything behind for the next, which the set-up file sees to.
    isolate: false,
    setupFiles: ['test/support/leave-nothing.ts'],
    // By default vitest leaves one core to itself, which of two is half.
    maxWorkers: Math.max(2, os.availableParallelism() - 1),
    server: { deps: { external: [/@pydantic\/monty/, /better-sqlite3/] } },
    testTimeout: 20_000,
  },
})
