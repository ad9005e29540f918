import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { actions } from '../../../../core/capabilities/actions/index.ts'
import { limits } from '../../../../core/domain/limits.ts'
import { useProject } from './project.ts'

const project = useProject()
afterEach(() => {
  vi.restoreAllMocks()
})

test('a folder with one entry more than a walk looks at is cut, and says so', { timeout: 60_000 }, async () => {
  mkdirSync(path.join(project.folder, 'many'))
  for (let at = 0; at < limits.walkEntries; at += 1) writeFileSync(path.join(project.folder, 'many', `f${at}`), '')
  const all = await project.run('list_files', { path: 'many', limit: 1 })
  expect(all).toMatchObject({ total: limits.walkEntries, complete: false })
  expect(JSON.stringify(all.note ?? '')).not.toContain('looked at')
  writeFileSync(path.join(project.folder, 'many', 'one-more'), '')
  const cut = await project.run('list_files', { path: 'many', limit: 1 })
  expect(cut).toMatchObject({ complete: false, note: expect.stringContaining(`${limits.walkEntries} entries`) })
})

test('a walk that takes longer than its time is cut, and says so', async () => {
  await project.write({ 'a/b/c.txt': '', 'd/e.txt': '' })
  let clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    clock += limits.walkMs / 2
    return clock
  })
  const cut = await project.run('list_files', { recursive: true })
  expect(cut).toMatchObject({ complete: false, note: expect.stringContaining('not to its end') })
})

test.each([
  ['list_files', limits.listEntries, {}],
  ['table', limits.tableRows, { path: 'x.csv' }],
] as const)('%s takes a limit of %i and refuses one more', (name, most, more) => {
  const action = actions.find((each) => each.name === name)
  expect(action?.parameters.safeParse({ ...more, limit: most }).success).toBe(true)
  expect(action?.parameters.safeParse({ ...more, limit: most + 1 }).success).toBe(false)
})
