import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { limits } from '../../core/domain/limits.ts'
import type { Engine } from '../../core/engine.ts'
import { createSettings } from '../../core/settings.ts'
import { createSkillLists } from '../../core/skill-lists.ts'
import { openStore } from '../../core/store/store.ts'
import { folderWith, startEngine, temporaryFolder, useScriptedModel } from '../support/engine.ts'
import { scriptedCall, scriptedModel } from '../support/scripted-model.ts'
import { testSecrets } from '../support/secrets.ts'
import { skillText, writeSkill } from '../support/skill-world.ts'

const workerEntry = path.resolve(import.meta.dirname, '../../core/store/worker.ts')

test('skills of a project are used once its folder is trusted, and no longer when it is not', async () => {
  const folder = folderWith({ '.threadsmith/skills/tide/SKILL.md': skillText('tide') })
  const engine = await startEngine({ skillFolders: [] })
  const { id } = await engine.api.call('project.open', { folder })
  const names = async () =>
    (await engine.api.call('skill.list', { projectId: id })).map(({ name, state }) => `${name} ${state}`)
  expect(await names()).toEqual([])
  await engine.api.call('project.save', { id, patch: { trusted: true } })
  expect(await names()).toEqual(['tide active'])
  expect(await engine.api.call('skill.list', {})).toEqual([])
  await engine.api.call('project.save', { id, patch: { trusted: false } })
  expect(await names()).toEqual(['tide gone'])
})

test('a file that appears or changes is read at once, and a window is told', async () => {
  const folder = temporaryFolder()
  const engine = await startEngine({
    skillFolders: [{ folder, place: 'mine', trust: 'trusted', plainSource: 'authored' }],
  })
  expect(await engine.api.call('skill.list', {})).toEqual([])
  const seen: string[] = []
  engine.subscribe(0, ({ events }) => seen.push(...events.map(({ kind }) => kind)))
  writeSkill(folder, 'tide', skillText('tide'))
  await expect.poll(() => seen).toContain('skill.versioned')
  expect(await engine.api.call('skill.list', {})).toMatchObject([{ name: 'tide', version: 1 }])
  writeSkill(folder, 'tide', skillText('tide', { body: 'Other.' }))
  await expect.poll(async () => (await engine.api.call('skill.list', {}))[0]?.version).toBe(2)
})

test('a skill that an agent writes into a folder of skills is not used before a person approved it', async () => {
  const file = '.agents/skills/tide/SKILL.md'
  const model = scriptedModel(({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: 'Written.' }
      : { toolCalls: [scriptedCall('write_file', { path: file, content: skillText('tide') }, 'w')] },
  )
  const dataDir = temporaryFolder()
  const folder = folderWith({})
  const engine = await startEngine({ dataDir, embedded: { scripted: model } })
  await useScriptedModel(engine)
  const { id } = await engine.api.call('project.open', { folder })
  await engine.api.call('project.save', { id, patch: { trusted: true } })
  const named = async (at: Engine) =>
    (await at.api.call('skill.list', { projectId: id })).filter(({ name }) => name === 'tide')
  expect(await named(engine)).toEqual([])
  const { threadId } = await engine.api.call('thread.send', { projectId: id, text: 'write it', approvesAll: true })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  expect(fs.existsSync(path.join(folder, file))).toBe(true)
  await expect
    .poll(async () => (await engine.api.call('candidate.list', {})).rows, { timeout: 60_000 })
    .toMatchObject([{ kind: 'new', name: 'tide', state: 'pending' }])
  expect(await named(engine)).toEqual([])
  await engine.stop('started anew')
  const next = await startEngine({ dataDir, embedded: { scripted: model } })
  expect(await named(next)).toEqual([])
  expect((await next.api.call('candidate.list', {})).rows).toHaveLength(1)
})

test('what lies in a folder of skills where a process died at work is not used before a person approved it', async () => {
  const dataDir = temporaryFolder()
  const engine = await startEngine({ dataDir, embedded: { scripted: scriptedModel(() => ({ text: 'Done.' })) } })
  await useScriptedModel(engine)
  const folder = folderWith({ '.agents/skills/moon/SKILL.md': skillText('moon') })
  const { id } = await engine.api.call('project.open', { folder })
  await engine.api.call('project.save', { id, patch: { trusted: true } })
  const { threadId } = await engine.api.call('thread.send', { projectId: id, text: 'write it' })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  await engine.stop('the process died')
  writeSkill(path.join(folder, '.agents/skills'), 'tide', skillText('tide'))
  const store = openStore({ dataDir, readOnly: false, workerEntry })
  const at = Date.now()
  store.transaction(() =>
    store.threads.move(threadId, { state: 'Running', outcome: null, reason: null, at, endedAt: null }),
  )
  await store.close()
  const next = await startEngine({ dataDir })
  const names = (await next.api.call('skill.list', { projectId: id })).map(({ name }) => name)
  expect(names.filter((name) => ['moon', 'tide'].includes(name))).toEqual(['moon'])
  await expect
    .poll(async () => (await next.api.call('candidate.list', {})).rows, { timeout: 60_000 })
    .toMatchObject([{ kind: 'new', name: 'tide' }])
})

test('a file with a flaw is shown with what would mend it, and mended where it still holds those bytes', async () => {
  const folder = temporaryFolder()
  const file = writeSkill(folder, 'tide', `\ufeff${skillText('tide')}`)
  const engine = await startEngine({
    skillFolders: [{ folder, place: 'mine', trust: 'trusted', plainSource: 'authored' }],
  })
  await engine.api.call('skill.list', {})
  const [problem] = await engine.api.call('skill.problems', {})
  expect(problem).toMatchObject({
    file,
    kind: 'warning',
    diagnostics: [{ code: 'W_BOM' }],
    mend: { text: skillText('tide') },
  })
  const sha256 = problem?.sha256 ?? ''
  await expect(engine.api.call('skill.mend', { file, sha256: 'a'.repeat(64) })).rejects.toMatchObject({
    code: 'skill.mend',
  })
  await expect(engine.api.call('skill.mend', { file: path.join(folder, 'other'), sha256 })).rejects.toMatchObject({
    code: 'skill.mend',
  })
  expect(await engine.api.call('skill.mend', { file, sha256 })).toEqual([])
  expect(fs.readFileSync(file, 'utf8')).toBe(skillText('tide'))
})

async function lists(answers: Readonly<Record<string, string | Error>>) {
  const settings = createSettings((await startEngine()).store)
  const secrets = testSecrets()
  let changes = 0
  const desk = createSkillLists({
    ...{ settings, secrets, signal: new AbortController().signal },
    fetchText: async (url) => {
      const answer = answers[url] ?? new Error('nobody is there')
      if (answer instanceof Error) throw answer
      return answer
    },
    onChange: () => {
      changes += 1
    },
  })
  return { desk, settings, secrets, changed: () => changes }
}
const list = (name: string) => JSON.stringify([{ name, description: `About ${name}.`, body: 'How.' }])

test('a list of skills on a server is followed once it is one; what is sent along is a secret', async () => {
  const { desk, settings, secrets, changed } = await lists({ 'https://a.example.com/s.json': list('tide') })
  await expect(desk.follow('https://b.example.com/s.json', {})).rejects.toThrow('nobody is there')
  expect(settings.current.skillLists).toEqual([])
  const followed = await desk.follow('https://a.example.com/s.json', { authorization: 'Bearer of-nobody' })
  expect(followed).toMatchObject([{ state: 'ready', skills: 1, hasHeaders: true, problem: null }])
  expect(JSON.stringify(settings.current)).not.toContain('of-nobody')
  expect([...secrets.values.values()].join()).toContain('of-nobody')
  expect(desk.manifests().scan.found).toMatchObject([{ trust: 'installed', source: 'imported' }])
  expect(await desk.unfollow('https://a.example.com/s.json')).toEqual([])
  expect(secrets.values.size).toBe(0)
  expect(changed()).toBe(2)
})

test('what a list held stays in use while it does not answer', async () => {
  const answers: Record<string, string | Error> = { 'https://a.example.com/s.json': list('tide') }
  const { desk } = await lists(answers)
  await desk.follow('https://a.example.com/s.json', {})
  answers['https://a.example.com/s.json'] = new Error('gone')
  await desk.read()
  expect(desk.list()).toMatchObject([{ state: 'failed', skills: 1, problem: expect.any(String) }])
  expect(desk.manifests()).toMatchObject({ scan: { found: [{ skill: { name: 'tide' } }] }, unread: [] })
})

test('so many lists are followed, not one more', async () => {
  const urls = Array.from({ length: limits.skillLists + 1 }, (_, at) => `https://a.example.com/${at}.json`)
  const { desk } = await lists(Object.fromEntries(urls.map((url, at) => [url, list(`s${at}`)])))
  for (const url of urls.slice(1)) await desk.follow(url, {})
  await expect(desk.follow(urls[0] ?? '', {})).rejects.toMatchObject({ code: 'skill.manifest' })
  expect(desk.list()).toHaveLength(limits.skillLists)
})
