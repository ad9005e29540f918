import path from 'node:path'
import { defineConfig } from '@playwright/test'

const root = path.resolve(import.meta.dirname, '../..')

export default defineConfig({
  testDir: import.meta.dirname,
  testMatch: '**/*.spec.ts',
  // One display and one app at a time; the apps of a file share a data folder. `npm test` has two such runs, on two displays.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  // They end what hangs. Beside the units each step takes longer than alone.
  timeout: 180_000,
  globalTimeout: 2_400_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  // Emptied by each run, so the reports and screenshots lie beside it.
  outputDir: path.join(root, 'test-results/e2e'),
})
