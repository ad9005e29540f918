import { type ModelRef, modelRefText } from '../../core/domain/model.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { call } from '../engine/client.ts'
import { durationText, windowText } from '../format/figures.ts'
import { setApp } from './store.ts'

/** What the last test of a model showed, as the engine keeps it. */
export type Probe = Settings['probes'][string]

/** One thing that is known of a model, with the look of it: word first, colour never alone. */
export interface ProbeFact {
  readonly key: 'actions' | 'atOnce' | 'window' | 'firstToken' | 'untested' | 'failed'
  readonly status: 'done' | 'waiting' | 'failed' | 'queued' | null
  readonly word: string
  readonly title: string
}

type Known = Pick<Settings, 'probes' | 'modelLimits'>

export function probeOf({ probes }: Pick<Settings, 'probes'>, ref: ModelRef): Probe | null {
  return probes[modelRefText(ref)] ?? null
}

/** The window of a model: what a person said, else what a test was told, else what the server lists. Null: nobody knows. */
function windowOf({ probes, modelLimits }: Known, ref: ModelRef, listed: number | null = null): number | null {
  const text = modelRefText(ref)
  return modelLimits[text]?.contextTokens ?? probes[text]?.contextTokens ?? listed
}

/** In the order in which they matter. The planner is our own code: nothing about it is in doubt. */
export function probeFacts(settings: Known, ref: ModelRef, listed: number | null = null): readonly ProbeFact[] {
  if (ref.providerId === 'planner') return []
  const probe = probeOf(settings, ref)
  const window = windowFact(windowOf(settings, ref, listed))
  if (probe === null) return [untested, ...window]
  if (probe.error !== undefined) {
    return [{ key: 'failed', status: 'failed', word: 'test failed', title: probe.error.userMessage }, ...window]
  }
  return [...actionFacts(probe), ...window, ...firstTokenFact(probe.firstTokenMs)]
}

const untested: ProbeFact = {
  key: 'untested',
  status: 'queued',
  word: 'not tested',
  title: 'Whether it can call actions is not known until it is tested in Settings, Models.',
}

/** It was asked for a call and answered without one, which does not say that it cannot. */
const actionsNotShown: ProbeFact = {
  ...untested,
  word: 'actions not shown',
  title: 'When it was tested it answered without calling an action. It may still call them in a thread: test it again.',
}

function actionFacts({ tools, parallel }: Probe): readonly ProbeFact[] {
  if (tools === null) return [actionsNotShown]
  if (!tools) {
    const title = 'It answers, but calls no actions by itself: it acts by the code that it writes.'
    return [{ key: 'actions', status: 'waiting', word: 'no actions', title }]
  }
  const actions = { key: 'actions', status: 'done', word: 'actions', title: 'It can call actions.' } as const
  if (parallel !== true) return [actions]
  return [actions, { key: 'atOnce', status: null, word: 'several at once', title: 'Several calls in one answer.' }]
}

function windowFact(tokens: number | null): readonly ProbeFact[] {
  if (tokens === null) return []
  const title = `A window of ${tokens.toLocaleString('en')} tokens`
  return [{ key: 'window', status: null, word: `${windowText(tokens)} window`, title }]
}

function firstTokenFact(ms: number | null): readonly ProbeFact[] {
  if (ms === null) return []
  return [{ key: 'firstToken', status: null, word: `first token ${durationText(ms)}`, title: 'When it was tested' }]
}

/** One real request; what it showed is kept by the engine and read back. */
export async function testModel({ providerId, model }: ModelRef) {
  const result = await call('model.probe', { providerId, model })
  setApp({ settings: await call('settings.get', {}) })
  return result
}
