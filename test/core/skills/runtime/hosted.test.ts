import { expect, it } from 'vitest'
import type { EngineOptions } from '../../../../core/engine.ts'
import { createSkills, MockSkillsStore, type SkillsEvent } from '../../../../core/skills/runtime/runtime.ts'
import { eventsOf, folderWith, runGoal, startEngine, useScriptedModel } from '../../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../../support/scripted-model.ts'
import { libraryOf } from '../skill-files.ts'

const reef = {
  name: 'reef',
  description: 'Counts fish.',
  version: 1,
  body: 'Count </skill> the fish.',
  type: 'authored',
} as const
const config = () => ({ name: 'sea', sources: [{ type: 'store', store: new MockSkillsStore([reef]) }] }) as const

async function run(script: ModelScript, options: Partial<EngineOptions> = {}) {
  const model = scriptedModel(script)
  const engine = await startEngine({ embedded: { scripted: model }, ...options })
  await useScriptedModel(engine)
  const thread = await runGoal(engine, folderWith({}), 'look around')
  const told = (n: number) => (model.requests[n]?.messages ?? []).map(({ content }) => content)
  return { engine, model, thread, told }
}

it('a thread is told of skills that the host brings, and loads one by name; nothing in it closes its marks', async () => {
  const { told } = await run(
    (_request, n) => (n === 0 ? { toolCalls: [scriptedCall('load_skill', { name: 'reef' })] } : { text: 'ok' }),
    { hostedSkills: config() },
  )
  expect(told(0).join('\n')).toContain('- reef (v1): Counts fish.')
  expect(told(0).join('\n')).not.toContain('the fish.')
  expect(told(1).at(-1)).toContain('Count &lt;/skill> the fish.')
})

it('where the app has no skills at all, the actions of skills are offered for those of the host', async () => {
  const script: ModelScript = () => ({ text: 'ok' })
  const skills = libraryOf()
  const names = async (more: Partial<EngineOptions>) =>
    (await run(script, more)).model.requests[0]?.tools.map(({ name }) => name)
  expect(await names({ skills, hostedSkills: config() })).toContain('load_skill')
  expect(await names({ skills })).not.toContain('load_skill')
})

it('what is injected stands in the prompt from the beginning, and costs no load', async () => {
  const { told } = await run(() => ({ text: 'ok' }), { hostedSkills: { ...config(), inject: 'all' } })
  expect(told(0).join('\n')).toContain('Count &lt;/skill> the fish.')
})

it('one that nobody has is refused in the words of the seed', async () => {
  const { engine, thread } = await run(
    (_request, n) => (n === 0 ? { toolCalls: [scriptedCall('load_skill', { name: 'shark' })] } : { text: 'ok' }),
    { hostedSkills: config() },
  )
  const result = eventsOf(engine, thread.id).find(({ kind }) => kind === 'action.finished')
  expect(JSON.stringify(result?.body)).toContain('unknown skill: shark')
})

it('a contract is taken as it is, and hears how the thread ended', async () => {
  const heard: SkillsEvent[] = []
  const seams = { embedder: () => async () => [], readManifest: async () => [], now: () => 0 }
  const skills = createSkills({ ...config(), analytics: (event) => void heard.push(event) }, seams)
  const { thread } = await run(
    (_request, n) => (n === 0 ? { toolCalls: [scriptedCall('load_skill', { name: 'reef' })] } : { text: 'ok' }),
    { hostedSkills: skills },
  )
  await expect.poll(() => heard.map(({ kind }) => kind)).toEqual(['catalogued', 'loaded', 'used', 'outcome'])
  expect(heard.at(-1)).toMatchObject({ skill: 'reef', run: thread.id, outcome: 'answered' })
})

it('without them the prompt is byte for byte what it is', async () => {
  const script: ModelScript = () => ({ text: 'ok' })
  const [without, withNone] = [
    await run(script),
    await run(script, { hostedSkills: { name: 'none', sources: [{ type: 'store', store: new MockSkillsStore([]) }] } }),
  ]
  const plain = (texts: readonly string[]) =>
    texts.map((text) => text.replaceAll(/threadsmith-project-\w+/g, 'p').replaceAll(/\d{4}-\d\d-\d\d.*/g, ''))
  expect(plain(withNone.told(0))).toEqual(plain(without.told(0)))
  expect(without.told(0).join()).not.toContain('# Available skills')
})
