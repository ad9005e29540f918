import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Action, defineAction } from '../../../core/capabilities/action.ts'
import { actions, createSaveSkillAction } from '../../../core/capabilities/capabilities.ts'
import type { CompletionRequest } from '../../../core/domain/model.ts'
import { estimateTokens } from '../../../core/domain/text.ts'
import { folderWith, runGoal, startEngine, useScriptedModel } from '../../support/engine.ts'
import { scriptedModel } from '../../support/scripted-model.ts'
import { libraryOf, skillOf } from './skill-files.ts'

const count = 200
const nouns = ['issue', 'page', 'invoice', 'message', 'contact', 'event', 'file', 'order', 'ticket', 'record']
const verbs = ['create', 'list', 'update', 'search', 'archive']

/** As an integration's server describes one tool: four to eight parameters, each with a sentence. */
function toolOf(at: number): Action {
  const noun = nouns[at % nouns.length] ?? 'issue'
  const verb = verbs[at % verbs.length] ?? 'list'
  const shapes = [
    z.string().describe(`The id of the workspace that the ${noun} belongs to, as its settings page shows it.`),
    z.string().max(256).describe(`The title of the ${noun}. Shown in lists and notifications.`),
    z.enum(['open', 'closed', 'all']).default('open').describe(`Only a ${noun} in this state is returned.`),
    z.number().int().min(1).max(100).default(30).describe('How many results a page has. At most 100.'),
    z.array(z.string()).max(20).optional().describe(`Labels of the ${noun}: one that does not exist yet is created.`),
    z.iso.datetime().optional().describe(`Only what was changed after this moment, in UTC, counts.`),
    z.boolean().default(false).describe('Whether what was archived is included. Off by default.'),
    z.object({ name: z.string(), email: z.email() }).optional().describe(`Who is responsible for the ${noun}.`),
  ]
  const shape = Object.fromEntries(shapes.slice(0, 4 + (at % 5)).map((each, n) => [`${noun}_${n}`, each]))
  return defineAction({
    name: `service${at}_${verb}_${noun}`,
    description: `${verb} a ${noun} with the API of service ${at}. Needs the scope ${noun}s:write. Returns the ${noun} with its id, its URL and the time of its last change, or an error that says which field is wrong.`,
    parameters: z.strictObject(shape),
    effects: ['ReadExternal'],
    isIdempotent: true,
    summarize: () => noun,
    run: () => null,
  })
}

const saveSkill = createSaveSkillAction(() => ({ candidateId: '', name: '', kind: 'new' }))

/** An integration as a skill of ordinary length: what a service of its own needs to be told. */
function integrationOf(at: number) {
  const noun = nouns[at % nouns.length] ?? 'issue'
  const lines = Array.from(
    { length: 24 },
    (_, n) => `${n + 1}. GET https://api.service${at}.example/v1/${noun}s?page=${n} answers {id, title, state, url}.`,
  )
  const description = `Service ${at}: reads and writes ${noun}s by its API, with filters, labels and pages.`
  return {
    ...skillOf(`service-${at}`, { keywords: [`service${at}`], body: [`# Service ${at}`, '', ...lines].join('\n') }),
    description,
  }
}

/** What the first request of a real thread holds, by our own estimate. */
async function promptTokens(options: { readonly skills: number; readonly tools: number }, goal: string) {
  const model = scriptedModel(() => ({ text: 'ok' }))
  const integrations = Array.from({ length: options.skills }, (_, at) => integrationOf(at))
  const tools = Array.from({ length: options.tools }, (_, at) => toolOf(at))
  const engine = await startEngine({
    embedded: { scripted: model },
    actions: [...actions, saveSkill, ...tools],
    skills: libraryOf(...integrations),
    // The same second, so that the texts differ in nothing else.
    clock: { now: () => Date.UTC(2026, 5, 1, 12), monotonic: () => performance.now() },
  })
  await useScriptedModel(engine)
  await runGoal(engine, folderWith({}), goal)
  const [request] = model.requests
  return tokensOf(request ?? expect.fail('no request'))
}

function tokensOf({ messages, tools }: CompletionRequest): number {
  const texts = messages.map(({ content }) => content).join('\n')
  // A folder has another name each time.
  return estimateTokens(texts.replace(/^(Folder|Project): .*$/gm, '')) + estimateTokens(JSON.stringify(tools))
}

it('200 integrations as skills cost at most 1/25 of what 200 tools cost with one active, and 1/80 with none', async () => {
  const goal = 'say hello'
  const nothing = await promptTokens({ skills: 0, tools: 0 }, goal)
  const tools = (await promptTokens({ skills: 0, tools: count }, goal)) - nothing
  const none = (await promptTokens({ skills: count, tools: 0 }, goal)) - nothing
  const one = (await promptTokens({ skills: count, tools: 0 }, 'say hello to service7')) - nothing
  console.log(
    `200 tools ${tools}, no skill active ${none} (1/${Math.floor(tools / none)}), one ${one} (1/${Math.floor(tools / one)})`,
  )
  expect(one).toBeGreaterThan(none + 400)
  expect(none).toBeLessThanOrEqual(tools / 80)
  expect(one).toBeLessThanOrEqual(tools / 25)
})
