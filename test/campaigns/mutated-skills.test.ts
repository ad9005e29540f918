import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'

/** In a process of its own that may neither write nor start anything: what it would try ends it. */
function campaign(...args: readonly string[]) {
  const script = path.join(import.meta.dirname, 'mutated-skills.ts')
  const { stdout, status } = spawnSync(
    process.execPath,
    ['--permission', '--allow-fs-read=*', script, '--seed', '7', ...args],
    { encoding: 'utf8', timeout: 120_000 },
  )
  return { status, report: JSON.parse(stdout) }
}

test('2,000 mutated files: none crashes the reader, takes too long, or runs a line', { timeout: 130_000 }, () => {
  const { status, report } = campaign('--files', '2000')
  expect(report.violations).toEqual([])
  expect(status).toBe(0)
  // Else it would have looked at nothing but files that are refused at once.
  expect(report.ok + report.warn).toBeGreaterThan(150)
  expect(report.mended).toBeGreaterThan(100)
})

test('the campaign catches a reader that runs what a file says', { timeout: 60_000 }, () => {
  const { status, report } = campaign('--files', '2000', '--broken')
  expect(status).toBe(1)
  expect(report.violations.join()).toContain('code ran')
})
