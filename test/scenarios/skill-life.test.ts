import { expect, test } from 'vitest'
import type { Engine } from '../../core/engine.ts'
import { eventsOf, folderWith, startEngine, temporaryFolder, useScriptedModel } from '../support/engine.ts'
import { scriptedCall, scriptedModel } from '../support/scripted-model.ts'

const draft = (body: string) => ({
  ...{ name: 'tide-report', description: 'Says when the water is high at a pier.', body },
  ...{ keywords: ['tide', 'high water'], tags: [] },
})

/** Proposes what the goal quotes, never comes to an answer where it says so, and else answers at once. */
const model = () =>
  scriptedModel(({ messages }) => {
    const said = messages.findLast(({ role }) => role === 'user')?.content ?? ''
    if (/never/.test(said)) return { toolCalls: [scriptedCall('time', {}, `t${messages.length}`)] }
    const body = /“(.*)”/s.exec(said)?.[1]
    const isProposed = messages.some(({ role }) => role === 'tool')
    if (body !== undefined && !isProposed) return { toolCalls: [scriptedCall('save_skill', draft(body))] }
    return { text: 'The water is high at six.' }
  })

test('a candidate is approved, chosen, counted; a worse version of it is taken back by itself, over every restart', async () => {
  const dataDir = temporaryFolder()
  const folder = folderWith({})
  let engine = await start()
  const project = await engine.api.call('project.open', { folder })

  async function start(): Promise<Engine> {
    const made = await startEngine({ dataDir, embedded: { scripted: model() } })
    await useScriptedModel(made)
    return made
  }
  async function again(): Promise<void> {
    await engine.stop('started anew')
    engine = await start()
  }
  async function run(text: string, maxSteps?: number) {
    const { threadId } = await engine.api.call('thread.send', {
      projectId: project.id,
      text,
      ...(maxSteps && { maxSteps }),
    })
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    await expect.poll(() => used(threadId) || !chosen(threadId).includes('tide-report'), { timeout: 60_000 }).toBe(true)
    return threadId
  }
  const used = (threadId: string) => eventsOf(engine, threadId).some(({ kind }) => kind === 'skill.used')
  const chosen = (threadId: string) =>
    eventsOf(engine, threadId).flatMap((event) =>
      event.kind === 'skill.selected' ? event.data.skills.map(({ name }) => name) : [],
    )
  const skill = () => engine.api.call('skill.get', { name: 'tide-report', projectId: project.id })
  async function approve(): Promise<void> {
    const [{ id } = expect.fail('nothing was proposed')] = (await engine.api.call('candidate.list', {})).rows
    const { sha256, before } = await engine.api.call('candidate.get', { id })
    await engine.api.call('candidate.decide', { id, decision: 'approve', sha256, before: before?.sha256 ?? null })
  }

  // Proposed: inert, with the steps that it comes from, and so after a restart.
  const learnt = await run('When is the tide at the pier? Keep how you found out: “Ask the gauge for high water.”')
  await again()
  expect((await engine.api.call('engine.info', {})).approvals).toBe(1)
  await expect(skill()).rejects.toMatchObject({ code: 'skill.not_found' })
  const [{ id } = expect.fail('nothing was proposed')] = (await engine.api.call('candidate.list', {})).rows
  const candidate = await engine.api.call('candidate.get', { id })
  expect(candidate).toMatchObject({ kind: 'new', source: 'extracted', threadId: learnt, before: null })
  expect(candidate.evidence.find(({ text }) => text === 'tide')?.steps).toMatchObject([{ threadId: learnt, step: 0 }])
  expect(candidate.wouldChange).toMatchObject({ n: 1, picksBefore: 0, picksAfter: 1 })
  expect(chosen(await run('The tide tomorrow?'))).not.toContain('tide-report')

  // Approved: chosen for the next goal, and counted.
  await approve()
  await again()
  expect(await skill()).toMatchObject({ version: 1, state: 'active', confidence: { n: 0 } })
  for (let at = 0; at < 4; at += 1) expect(chosen(await run('The tide today?'))).toContain('tide-report')
  expect((await skill()).confidence).toMatchObject({ n: 4, value: 1, low: expect.closeTo(0.51, 2) })

  // A worse version: three threads that come to nothing, with a restart between them.
  await run('The tide again. Keep it: “Ask twice.”')
  await approve()
  expect(await skill()).toMatchObject({ version: 2, confidence: { n: 0 } })
  const failed = [await run('The tide, never', 2), await run('The tide, never', 2)]
  expect((await skill()).version).toBe(2)
  await again()
  failed.push(await run('The tide, never', 2))
  await expect.poll(async () => (await skill()).version, { timeout: 60_000 }).toBe(1)
  const after = await skill()
  expect(after.versions[0]).toMatchObject({ version: 2, state: 'rolledBack' })
  expect(after.versions[0]?.rolledBack?.threadIds.toSorted()).toEqual(failed.toSorted())
  const uses = await engine.api.call('skill.uses', { id: after.id })
  expect(uses.filter(({ version }) => version === 2).map(({ outcome }) => outcome)).toEqual([
    'failure',
    'failure',
    'failure',
  ])

  // What was taken back is not live again by itself, and every move is on record.
  await again()
  expect(await skill()).toMatchObject({ version: 1, state: 'active' })
  expect(eventsOf(engine, after.id).map(({ data }) => data)).toMatchObject([
    { from: null, to: 1, by: 'candidate' },
    { from: 1, to: 2, by: 'candidate' },
    { from: 2, to: 1, by: 'tracker', threadIds: after.versions[0]?.rolledBack?.threadIds },
  ])
})
