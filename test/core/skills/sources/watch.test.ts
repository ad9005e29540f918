import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { watchSkillFolders } from '../../../../core/skills/sources/watch.ts'
import { temporaryFolder } from '../../../support/engine.ts'
import { plainSkill, put } from './support.ts'

function watched(...folders: readonly string[]) {
  let changes = 0
  const faults: unknown[] = []
  const watch = watchSkillFolders(folders, () => (changes += 1), {
    delayMs: 20,
    onFault: (error) => faults.push(error),
  })
  onTestFinished(() => watch.close())
  return {
    ...{ watch, faults },
    changes: () => changes,
    /** Does it, and waits until it is told. */
    async tells(change: () => void) {
      await sleep(60)
      const before = changes
      change()
      await vi.waitFor(() => expect(changes).toBeGreaterThan(before), 60_000)
    },
    async isSilent(change: () => void) {
      await sleep(60)
      const before = changes
      change()
      await sleep(150)
      expect(changes).toBe(before)
    },
  }
}

test('a skill that is new, changed, put in the place of another, or gone is told', async () => {
  const folder = put(temporaryFolder(), { 'tides/SKILL.md': plainSkill('tides') })
  const { tells, faults } = watched(folder)
  const file = path.join(folder, 'tides/SKILL.md')
  await tells(() => fs.appendFileSync(file, 'More.\n'))
  await tells(() => {
    put(folder, { 'tides/SKILL.md.new': plainSkill('tides') })
    fs.renameSync(`${file}.new`, file)
  })
  await tells(() => put(folder, { 'bundle/inner/moon/SKILL.md': plainSkill('moon') }))
  await tells(() => put(folder, { 'bundle/inner/moon/SKILL.md': plainSkill('moon', { description: 'Other.' }) }))
  await tells(() => fs.rmSync(path.join(folder, 'tides'), { recursive: true }))
  expect(faults).toEqual([])
})

test('a folder that appears later is seen by its nearest parent, whatever else happens there', async () => {
  const home = temporaryFolder()
  const folder = path.join(home, '.agents/skills')
  const { tells, isSilent } = watched(folder)
  await isSilent(() => put(home, { 'notes.md': '', 'work/a.md': '' }))
  await tells(() => put(folder, { 'tides/SKILL.md': plainSkill('tides') }))
  await tells(() => put(folder, { 'tides/SKILL.md': plainSkill('tides', { description: 'Other.' }) }))
  await isSilent(() => put(home, { 'notes.md': 'more' }))
})

test('a folder that is taken away and comes back is still watched', async () => {
  const home = put(temporaryFolder(), { 'skills/tides/SKILL.md': plainSkill('tides') })
  const folder = path.join(home, 'skills')
  const { tells, faults } = watched(folder)
  await tells(() => fs.renameSync(folder, path.join(home, 'aside')))
  await tells(() => put(folder, { 'moon/SKILL.md': plainSkill('moon') }))
  await tells(() => {
    // At once: the path never looks empty to whoever comes later.
    fs.renameSync(folder, path.join(home, 'aside2'))
    fs.renameSync(path.join(home, 'aside'), folder)
  })
  await tells(() => put(folder, { 'sun/SKILL.md': plainSkill('sun') }))
  await tells(() => fs.rmSync(folder, { recursive: true }))
  expect(faults).toEqual([])
})

test('many changes are told a few times', async () => {
  const folder = temporaryFolder()
  const { tells, changes } = watched(folder)
  await tells(() => {
    for (let at = 0; at < 200; at += 1) put(folder, { [`s${at}/SKILL.md`]: plainSkill(`s${at}`) })
  })
  await sleep(200)
  expect(changes()).toBeLessThan(10)
})

test('what fails while a change is taken in is told, and watching goes on', async () => {
  const folder = temporaryFolder()
  const faults: unknown[] = []
  let calls = 0
  const onChange = () => {
    calls += 1
    throw new Error('not this time')
  }
  const watch = watchSkillFolders([folder], onChange, { delayMs: 20, onFault: (error) => faults.push(error) })
  onTestFinished(() => watch.close())
  for (const name of ['a', 'b']) {
    const before = calls
    put(folder, { [`${name}/SKILL.md`]: plainSkill(name) })
    await vi.waitFor(() => expect(calls).toBeGreaterThan(before), 60_000)
    await sleep(60)
  }
  expect(faults).toHaveLength(calls)
})

test('nothing is told after it was closed, not even a change from before, and nothing is left open', async () => {
  const open = () => process.getActiveResourcesInfo().filter((name) => /FSEvent|Timeout/.test(name)).length
  const before = open()
  const folder = put(temporaryFolder(), { 'tides/SKILL.md': plainSkill('tides') })
  let changes = 0
  const watch = watchSkillFolders([folder], () => (changes += 1), { delayMs: 50, onFault: () => {} })
  put(folder, { 'moon/SKILL.md': plainSkill('moon') })
  await sleep(20)
  watch.close()
  watch.close()
  put(folder, { 'moon/SKILL.md': plainSkill('moon', { description: 'Other.' }) })
  await sleep(150)
  expect(changes).toBe(0)
  expect(open()).toBeLessThanOrEqual(before)
})
