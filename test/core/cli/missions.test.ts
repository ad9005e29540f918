import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Access } from '../../../core/cli/access.ts'
import { parseLine } from '../../../core/cli/commands.ts'
import {
  addMission,
  editMission,
  listFirings,
  listMissions,
  pauseMission,
  resumeMission,
  runMission,
  showCron,
  showMission,
  tickMissions,
} from '../../../core/cli/missions.ts'
import { AppError } from '../../../core/domain/error.ts'
import { folderWith, removeMissions, startEngine, useScriptedModel } from '../../support/engine.ts'
import { scriptedModel } from '../../support/scripted-model.ts'
import { printed } from './support.ts'

const corpus = path.resolve(import.meta.dirname, '../missions/corpus/cron.tsv')
const answer = '```json\n{"done": "read it", "nextFocus": null, "goalReached": false, "evidence": []}\n```'
const file = (cadence = '"0 10 * * *"', more = '') =>
  `---\nname: digest\ncadence: ${cadence}\n${more}---\n\nRead the news.\n`

async function world() {
  let at = Date.parse('2026-02-03T09:30:00Z')
  const clock = { now: () => at, monotonic: () => performance.now() }
  const engine = await startEngine({ clock, embedded: { scripted: scriptedModel(() => ({ text: answer })) } })
  await useScriptedModel(engine)
  const access: Access = {
    ...{ isOwn: true, whenLeft: '', close: async () => undefined, subscribe: engine.subscribe },
    call: (name, input) => engine.api.call(name, input),
  }
  const folder = folderWith({
    'digest.md': file(),
    'late.md': file('"0 12 * * *"'),
    'bad.md': file('"61 * * * *"', 'x: y\n'),
  })
  await engine.api.call('project.open', { folder })
  await removeMissions(engine)
  const add = (name = 'digest.md') =>
    addMission(access, printed(true).terminal, { file: path.join(folder, name), folder })
  const pass = (ms: number) => {
    at += ms
  }
  return { engine, access, folder, add, pass }
}
const digest = (folder: string) => ({ mission: 'digest', folder })

test('a file is added, listed, paused, gone on with and edited, each told in the one form', async () => {
  const { access, folder, add } = await world()
  await add()
  const { terminal, lines } = printed(true)
  await listMissions(access, terminal)
  await pauseMission(access, terminal, digest(folder))
  await resumeMission(access, terminal, { ...digest(folder), version: undefined })
  await editMission(access, terminal, { ...digest(folder), file: path.join(folder, 'late.md'), editor: undefined })
  const cadence = (hour: number) => `At ${hour}:00`
  const next = (hour: number) => `2026-02-03T${hour}:00:00.000Z`
  expect(lines()).toEqual([
    { name: 'digest', status: 'active', cadence: cadence(10), nextFireAt: next(10), streak: 0 },
    { name: 'digest', status: 'paused', cadence: cadence(10), nextFireAt: null, streak: 0 },
    { name: 'digest', status: 'active', cadence: cadence(10), nextFireAt: next(10), streak: 0 },
    { name: 'digest', status: 'active', cadence: cadence(12), nextFireAt: next(12), streak: 0 },
  ])
})

test('without a file the next version is what a person makes of it in their editor', async () => {
  const { access, folder, add } = await world()
  await add()
  const { terminal, lines } = printed(true)
  const editor = `sed -i 's/0 10/0 11/'`
  await editMission(access, terminal, { ...digest(folder), file: undefined, editor })
  expect(lines()).toMatchObject([{ cadence: 'At 11:00' }])
  const none = { ...digest(folder), file: undefined, editor: undefined }
  await expect(editMission(access, terminal, none)).rejects.toMatchObject({ code: 'usage' })
})

test('a file that is no mission is refused with every flaw and its line, and nothing is saved', async () => {
  const { access, add } = await world()
  const refusal = await add('bad.md').catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(AppError)
  expect(refusal).toMatchObject({
    code: 'mission.invalid',
    userMessage: expect.stringMatching(/Line 3: .*Line 4: x is not/),
  })
  await expect(add('gone.md')).rejects.toMatchObject({ code: 'mission.not_found' })
  expect(await access.call('mission.list', {})).toEqual([])
})

test('one that is run is carried through, and stands in the ledger', async () => {
  const { access, folder, add } = await world()
  await add()
  const { terminal, lines } = printed(true)
  expect(await runMission(access, terminal, { ...digest(folder), rehearses: false })).toBe(0)
  expect(lines()).toMatchObject([{ name: 'digest', streak: 1 }])
  const ledger = printed(true)
  const all = { from: undefined, to: undefined }
  await listFirings(access, ledger.terminal, { ...digest(folder), ...all })
  expect(ledger.lines()).toEqual([
    { mission: 'digest', due: '2026-02-03T09:30:00.000Z', state: 'ran', reason: null, threadId: expect.any(String) },
  ])
})

test('the ledger for people: when, what became of it in words, and why', async () => {
  const { access, folder, add, pass } = await world()
  await add()
  pass(41 * 60 * 60_000)
  const told = printed(false)
  await tickMissions(access, told.terminal)
  await listFirings(access, told.terminal, { ...digest(folder), from: undefined, to: undefined })
  expect(told.text()).toContain('2026-02-03T10:00:00.000Z  missed    Threadsmith was not there; 40 hours is later than')
  expect(told.text()).not.toContain('[object')
})

test('what an agent proposed is shown, and started only by the version that was read', async () => {
  const { engine, access, folder, add } = await world()
  await add()
  const { id: projectId } = await engine.api.call('project.open', { folder })
  const added = engine.store.missions.byName(projectId, 'digest') ?? expect.fail('no mission')
  engine.store.missions.update({ ...added, status: 'proposed', source: 'agent', nextFireAt: null })
  const { terminal, text } = printed(false)
  await showMission(access, terminal, digest(folder))
  expect(text()).toMatch(/version 1\n.*Read the news\./s)
  const resume = (version: number | undefined) => resumeMission(access, terminal, { ...digest(folder), version })
  await expect(resume(undefined)).rejects.toMatchObject({ code: 'mission.state' })
  await expect(resume(2)).rejects.toMatchObject({ code: 'mission.state' })
  expect(await access.call('mission.list', {})).toMatchObject([{ status: 'proposed' }])
  expect(await resume(1)).toBe(0)
  expect(await access.call('mission.list', {})).toMatchObject([{ status: 'active' }])
})

test('a rehearsal on the command line says what it used', async () => {
  const { access, folder, add } = await world()
  await add()
  const { terminal, lines } = printed(true)
  expect(await runMission(access, terminal, { ...digest(folder), rehearses: true })).toBe(0)
  expect(lines()).toMatchObject([{ name: 'digest' }])
  const [mission] = await access.call('mission.list', {})
  expect(await access.call('mission.rehearsal', { id: mission?.id ?? '' })).toMatchObject({
    firing: { trigger: 'rehearsal', state: 'ran' },
    used: [],
  })
})

test('a tick claims what is due and carries it through; a second one finds nothing', async () => {
  const { access, add, pass } = await world()
  await add()
  pass(30 * 60_000 + 1_000)
  const first = printed(true)
  expect(await tickMissions(access, first.terminal)).toBe(0)
  expect(first.lines()).toEqual([
    { mission: 'digest', due: '2026-02-03T10:00:00.000Z', state: 'ran', reason: null, threadId: expect.any(String) },
  ])
  const second = printed(true)
  await tickMissions(access, second.terminal)
  expect(second.lines()).toEqual([])
})

test('a mission of another folder is found by its name, unless two projects have one', async () => {
  const { access, folder, add } = await world()
  await add()
  const elsewhere = folderWith({})
  const { terminal, lines } = printed(true)
  await pauseMission(access, terminal, { mission: 'digest', folder: elsewhere })
  expect(lines()).toMatchObject([{ status: 'paused' }])
  await addMission(access, terminal, { file: path.join(folder, 'late.md'), folder: elsewhere })
  const third = { mission: 'digest', folder: folderWith({}) }
  await expect(pauseMission(access, terminal, third)).rejects.toThrow(/2 projects/)
  await expect(pauseMission(access, terminal, { ...third, mission: 'none' })).rejects.toThrow(/no mission none/)
})

test.each(
  fs
    .readFileSync(corpus, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.split('\t')),
)('cron, row %s of the corpus', (_id, expression = '', zone = '', reference = '', expected = '', ...instants) => {
  const line = ['cron', JSON.parse(expression), '--tz', zone, '--from', reference, '-n', '3', '--json']
  const { command } = parseLine(line, '/')
  if (command.name !== 'cron') throw new TypeError(command.name)
  const { terminal, lines } = printed(true)
  const { count, from = 0 } = command
  const code = showCron(terminal, { expression: command.expression, zone: command.zone ?? '', from, count })
  if (expected === 'fires') {
    expect(code).toBe(0)
    expect(lines()).toMatchObject([{ ok: true, next: instants.slice(0, 3) }])
  } else {
    expect(code).toBe(1)
    expect(lines()).toMatchObject([{ ok: false, code: expect.stringMatching(/^cron\./), message: expect.any(String) }])
  }
})

test('a tick at another time is for a folder to try things in, be it to come or past', () => {
  for (const time of ['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z'])
    expect(() => parseLine(['mission', 'tick', '--now', time], '/')).toThrow(/--now needs --data/)
})

test('times on the line are whole instants', () => {
  for (const wrong of ['tomorrow', '2026-02-30T25:00Z', '09:00'])
    expect(() => parseLine(['mission', 'tick', '--now', wrong], '/')).toThrow(/--now takes a time/)
  expect(parseLine(['mission', 'tick', '--now', '2026-12-01T09:00:00+01:00', '--data', '/d'], '/').command).toEqual({
    name: 'mission tick',
    now: Date.parse('2026-12-01T08:00:00Z'),
  })
})
