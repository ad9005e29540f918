import path from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    exclude: ['test/e2e/**', 'test/bench/**', 'node_modules/**'],
    environment: 'node',
    pool: 'forks',
    server: { deps: { external: [/@pydantic\/monty/, /better-sqlite3/] } },
    testTimeout: 20_000,
  },
})
