import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { folderWith, startEngine, temporaryFolder } from '../../support/engine.ts'
import { skillText, writeSkill } from '../../support/skill-world.ts'

async function desk() {
  const folder = temporaryFolder()
  writeSkill(folder, 'tide', skillText('tide'))
  const engine = await startEngine({
    skillFolders: [{ folder, place: 'mine', trust: 'trusted', plainSource: 'authored' }],
  })
  const get = (name = 'tide', version?: number) => engine.api.call('skill.get', { name, ...(version && { version }) })
  return { engine, folder, get, call: engine.api.call }
}

describe('a skill that a person edits', () => {
  it('has that text as its next version, live at once, and keeps the one before', async () => {
    const { call, get } = await desk()
    const { id } = await get()
    const content = skillText('tide', { body: 'As I want it.' })
    expect(await call('skill.save', { id, parent: 1, content, reason: 'clearer' })).toMatchObject({
      ...{ version: 2, state: 'active', place: 'written here', body: 'As I want it.\n' },
      versions: [
        { version: 2, parent: 1, state: 'live', reason: 'clearer' },
        { version: 1, parent: null, state: 'retired' },
      ],
    })
    expect((await get('tide', 1)).body).toBe('How to tide.\n')
  })

  it('is not rolled back to what is live already: nothing is put on record', async () => {
    const { call, get, engine } = await desk()
    const { id } = await get()
    await call('skill.save', { id, parent: 1, content: skillText('tide', { body: 'As I want it.' }) })
    const before = engine.store.events.lastSeq()
    expect(await call('skill.rollback', { id, to: 2 })).toMatchObject({ version: 2, state: 'active' })
    expect(engine.store.events.lastSeq()).toBe(before)
    expect(await call('skill.rollback', { id, to: 1 })).toMatchObject({ version: 1, state: 'active' })
    expect(engine.store.events.lastSeq()).toBeGreaterThan(before)
  })

  it('is not saved over a version that came meanwhile, nor under another name, nor as something that is no skill', async () => {
    const { call, get } = await desk()
    const { id } = await get()
    const save = (parent: number, content: string) => call('skill.save', { id, parent, content })
    await save(1, skillText('tide', { body: 'First.' }))
    await expect(save(1, skillText('tide', { body: 'Second.' }))).rejects.toMatchObject({ code: 'candidate.stale' })
    await expect(save(2, skillText('moon'))).rejects.toMatchObject({ code: 'skill.invalid' })
    await expect(save(2, 'nothing')).rejects.toMatchObject({ code: 'skill.invalid' })
    expect((await get()).version).toBe(2)
  })
})

describe('going back', () => {
  it('makes any version live again, and can be taken back itself', async () => {
    const { call, get } = await desk()
    const { id } = await get()
    await call('skill.save', { id, parent: 1, content: skillText('tide', { body: 'Two.' }) })
    const back = await call('skill.rollback', { id, to: 1, reason: 'the old one was better' })
    expect(back).toMatchObject({ version: 1 })
    expect(back.versions[0]).toMatchObject({
      version: 2,
      state: 'rolledBack',
      rolledBack: { reason: 'the old one was better' },
    })
    const again = await call('skill.rollback', { id, to: 2 })
    expect(again).toMatchObject({ version: 2 })
    expect(again.versions.map(({ state }) => state)).toEqual(['live', 'retired'])
    await expect(call('skill.rollback', { id, to: 3 })).rejects.toMatchObject({ code: 'skill.not_found' })
  })

  it('is on record, with who did it and why', async () => {
    const { engine, call, get } = await desk()
    const { id } = await get()
    await call('skill.save', { id, parent: 1, content: skillText('tide', { body: 'Two.' }) })
    await call('skill.rollback', { id, to: 1, reason: 'no' })
    expect(engine.store.events.ofThread(id, 0, 100).map(({ data }) => data)).toMatchObject([
      { from: 1, to: 2, by: 'person' },
      { from: 2, to: 1, by: 'person', reason: 'no' },
    ])
  })
})

it('a skill that is put out of use is chosen by nothing, not even by its name, until it is in use again', async () => {
  const { call, get } = await desk()
  const { id } = await get()
  expect(await call('skill.quarantine', { id, quarantined: true, reason: 'odd' })).toMatchObject({
    state: 'quarantined',
  })
  expect((await call('skill.select', { goal: '/tide the tide' })).selected).toEqual([])
  await call('skill.rescan', {})
  expect((await get()).state).toBe('quarantined')
  expect(await call('skill.quarantine', { id, quarantined: false })).toMatchObject({ state: 'active', version: 1 })
  expect((await call('skill.select', { goal: 'the tide' })).selected).toEqual(['tide'])
})

it('a skill that was put out of use comes back as the version that it was', async () => {
  const { call, get } = await desk()
  const { id } = await get()
  await call('skill.save', { id, parent: 1, content: skillText('tide', { body: 'Two.' }) })
  await call('skill.save', { id, parent: 2, content: skillText('tide', { body: 'Three.' }) })
  await call('skill.rollback', { id, to: 1 })
  await call('skill.quarantine', { id, quarantined: true })
  await call('skill.save', { id, parent: 1, content: skillText('tide', { body: 'Four.' }) })
  expect((await get()).state).toBe('quarantined')
  await call('skill.rescan', {})
  expect((await call('skill.select', { goal: '/tide' })).selected).toEqual([])
  expect(await call('skill.quarantine', { id, quarantined: false })).toMatchObject({ version: 4, state: 'active' })
})

it('an edit of a text from elsewhere does not make it trusted', async () => {
  const { engine, call } = await desk()
  const folder = folderWith({ '.threadsmith/skills/reef/SKILL.md': skillText('reef') })
  const { id: projectId } = await call('project.open', { folder })
  await call('project.save', { id: projectId, patch: { trusted: true } })
  const { id, trust } = await engine.api.call('skill.get', { name: 'reef', projectId })
  expect(trust).toBe('installed')
  const edited = await call('skill.save', { id, parent: 1, content: skillText('reef', { body: 'A word.' }) })
  expect(edited).toMatchObject({ version: 2, trust: 'installed' })
})

it('a skill of one project is for everywhere only by a decision', async () => {
  const { call } = await desk()
  const project = await call('project.open', { folder: folderWith({}) })
  const own = await call('skill.save', { projectId: project.id, parent: null, content: skillText('moon') })
  expect((await call('skill.list', {})).map(({ name }) => name)).toEqual(['tide'])
  const { id, sha256 } = await call('skill.globalize', { id: own.id })
  expect((await call('skill.list', {})).map(({ name }) => name)).toEqual(['tide'])
  await call('candidate.decide', { id, decision: 'approve', sha256, before: null })
  expect((await call('skill.list', {})).map(({ name }) => name)).toEqual(['moon', 'tide'])
  await expect(call('skill.globalize', { id: (await call('skill.list', {}))[0]?.id ?? '' })).rejects.toMatchObject({
    code: 'skill.invalid',
  })
})

it('a list of uses holds so many, not one more', async () => {
  const { call, get } = await desk()
  const { id } = await get()
  await expect(call('skill.uses', { id, limit: limits.skillUses + 1 })).rejects.toMatchObject({ code: 'api.input' })
  expect(await call('skill.uses', { id, limit: limits.skillUses })).toEqual([])
})

it('an engine that only reads shows files that nobody has written to the store yet', async () => {
  const { engine, folder } = await desk()
  const reading = await startEngine({
    ...{ dataDir: (await engine.api.call('engine.info', {})).dataDir, readOnly: true },
    skillFolders: [{ folder, place: 'mine', trust: 'trusted', plainSource: 'authored' }],
  })
  expect(await reading.api.call('skill.list', {})).toMatchObject([{ name: 'tide', version: 1, place: 'mine' }])
  expect(await reading.api.call('skill.get', { name: 'tide' })).toMatchObject({ body: 'How to tide.\n', version: 1 })
})

it('a skill whose file was gone while it was put out of use comes back with its file', async () => {
  const { call, get, folder } = await desk()
  const { id } = await get()
  fs.rmSync(path.join(folder, 'tide'), { recursive: true })
  await call('skill.rescan', {})
  await call('skill.quarantine', { id, quarantined: true })
  await call('skill.quarantine', { id, quarantined: false })
  writeSkill(folder, 'tide', skillText('tide'))
  await call('skill.rescan', {})
  expect(await get()).toMatchObject({ state: 'active', version: 1 })
})
