import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { createSkillReadAction } from '../../../../core/capabilities/actions/skill-read.ts'
import { limits } from '../../../../core/domain/limits.ts'
import { readResource, resourcesIn } from '../../../../core/skills/sources/resources.ts'
import {
  eventsOf,
  folderWith,
  runGoal,
  startEngine,
  temporaryFolder,
  useScriptedModel,
} from '../../../support/engine.ts'
import { scriptedCall, scriptedModel } from '../../../support/scripted-model.ts'
import { plainSkill, put } from '../../skills/sources/support.ts'
import { runOwn } from './project.ts'

/** The skill `tides` of thread t1, and no other one. */
function actionFor(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = put(path.join(temporaryFolder(), 'tides'), { 'SKILL.md': plainSkill('tides'), ...files })
  const action = createSkillReadAction({
    folderOf: (threadId, name) => (threadId === 't1' && name === 'tides' ? folder : null),
    ...{ list: resourcesIn, read: readResource },
  })
  return { action, run: (asked: object, threadId = 't1') => runOwn(action, asked, { threadId }) }
}

describe('skill_read', () => {
  test('lists what lies beside a skill, and reads one file of it', async () => {
    const { run } = actionFor({ 'references/api.md': '# API\n', 'scripts/run.sh': 'exit 1\n' })
    expect(await run({ name: 'tides' })).toEqual({
      name: 'tides',
      files: [
        { path: 'references/api.md', bytes: 6, kind: 'reference' },
        { path: 'scripts/run.sh', bytes: 7, kind: 'script' },
      ],
      complete: true,
    })
    expect(await run({ name: 'tides', path: 'references/api.md' })).toEqual({
      ...{ path: 'references/api.md', bytes: 6, text: '# API\n', complete: true, next: null },
    })
  })

  test('reads a long file in parts that fit a result, each from where the last one ended', async () => {
    const whole = Array.from({ length: 30_000 }, (_, at) => `line ${at} 🐦`).join('\n')
    const { run } = actionFor({ 'references/long.md': whole })
    let read = ''
    let parts = 0
    for (let start: unknown = 0; start !== null; parts += 1) {
      const part = await run({ name: 'tides', path: 'references/long.md', start })
      expect(part).toMatchObject({ complete: false })
      if (typeof part !== 'object' || part === null || !('text' in part) || !('next' in part)) break
      read += String(part.text)
      start = part.next
    }
    expect(read).toBe(whole)
    expect(parts).toBeGreaterThan(5)
  })

  test('says that a list is not whole when there are limits.skillResources files', async () => {
    const { run } = actionFor(
      Object.fromEntries(Array.from({ length: limits.skillResources }, (_, at) => [`a/${at}`, ''])),
    )
    expect(await run({ name: 'tides' })).toMatchObject({ complete: false })
  })

  test.each([
    ['a skill that is not there', { name: 'moon' }, 'skill.resource'],
    ['a file out of the folder', { name: 'tides', path: '../../etc/passwd' }, 'skill.resource'],
    ['a binary file', { name: 'tides', path: 'a.bin' }, 'skill.resource'],
    ['a start behind the end', { name: 'tides', path: 'a.md', start: 1 }, 'action.args'],
    ['a parameter that it does not have', { name: 'tides', run: true }, 'action.args'],
  ])('refuses %s', async (_what, asked, code) => {
    const { run } = actionFor({ 'a.bin': Buffer.from([0]), 'a.md': 'a' })
    await expect(run(asked)).rejects.toMatchObject({ code })
  })

  test('is of the thread that asks: what another one may see is nothing to it', async () => {
    const { run } = actionFor({ 'a.md': 'a' })
    await expect(run({ name: 'tides' }, 't2')).rejects.toMatchObject({ code: 'skill.resource' })
  })

  test('reads only, and its result is the skill’s text, not the person’s', () => {
    const { action } = actionFor({})
    expect(action.effects).toEqual(['ReadLocal'])
    expect(action.source?.({ name: 'tides', start: 0 }, { ok: true, value: null })).toEqual({
      kind: 'skill',
      name: 'tides',
    })
  })
})

test.each([
  ['cannot be opened by a model that nobody gave it to', 'look', false],
  ['is opened where a person has named it', '/moon look', true],
])('what only a person may name %s', async (_what, goal, ok) => {
  const folder = temporaryFolder()
  const header = 'name: moon\ndescription: The moon.\ndisable-model-invocation: true\n'
  put(path.join(folder, 'moon'), { 'SKILL.md': `---\n${header}---\nLook.\n`, 'references/how.md': 'up' })
  const model = scriptedModel((_request, n) => {
    if (n > 0) return { text: 'ok' }
    return { toolCalls: [scriptedCall('skill_read', { name: 'moon', path: 'references/how.md' })] }
  })
  const place = { place: 'mine', trust: 'trusted', plainSource: 'authored', folder } as const
  const engine = await startEngine({ embedded: { scripted: model }, skillFolders: [place] })
  await useScriptedModel(engine)
  const thread = await runGoal(engine, folderWith({}), goal)
  const read = eventsOf(engine, thread.id).find(({ kind }) => kind === 'action.finished')
  expect(read?.data).toMatchObject({ name: 'skill_read', ok })
})
