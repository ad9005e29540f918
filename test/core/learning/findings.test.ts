import { describe, expect, test } from 'vitest'
import type { TraceIssue } from '../../../core/domain/issue.ts'
import { limits } from '../../../core/domain/limits.ts'
import { copyOf, foreign, issueOf, type LearnWorld, learnWorld, listIn, openLearnWorld } from './learn-world.ts'

/** A firing that looks, and ends as it should. */
async function look(world: LearnWorld, { isAnswered = true, key = '' } = {}) {
  const threadId = world.firing()
  const result = await world.call('trace_findings', {}, { threadId, ...(key !== '' && { key }) })
  world.end(threadId, isAnswered ? 'answered' : 'failed')
  return result
}
const issuesIn = (result: Awaited<ReturnType<typeof look>>) => listIn(result, 'findings').map(({ issue }) => issue)
const items = ({ improvement }: LearnWorld) => improvement.desk.list({ limit: 1_000 })
const rules = (world: LearnWorld) => items(world).filter(({ kind }) => kind === 'overlay')
const odd = (n: number): TraceIssue => issueOf({ subject: `action_${n}`, code: 'action.encoding' })

describe('what is found', () => {
  test('a kind of issue, over all threads that show it, with the fix that is known for it', async () => {
    const world = learnWorld()
    const [a, b] = [world.thread({ issues: [issueOf()] }), world.thread({ issues: [issueOf(), odd(1)] })]
    const result = await look(world)
    expect(listIn(result, 'findings')).toMatchObject([
      {
        issue: 'tool_error read_file action.not_found',
        threads: [a.number, b.number],
        known: [{ id: 'bundled:missing-file', level: 'PROMPT' }],
        made: expect.stringMatching(/^lrn_\S+: pending, by the known fix bundled:missing-file$/),
      },
      { issue: 'tool_error action_1 action.encoding', threads: [b.number], known: [], made: 'open' },
    ])
    expect(result.done).toBe(
      'Looked at 2 threads that went wrong; made 1 of 2 by known fixes. 1 kind of issue has no known fix.',
    )
    expect(rules(world)).toMatchObject([
      { state: 'pending', sources: [{ threadNumber: a.number }, { threadNumber: b.number }], isUntrusted: false },
    ])
  })

  test('is told once; what went wrong since is told next', async () => {
    const world = learnWorld()
    world.thread({ issues: [odd(1)] })
    expect(issuesIn(await look(world))).toHaveLength(1)
    expect(await look(world)).toMatchObject({ findings: [], done: 'Nothing went wrong since the last time.' })
    world.thread({ issues: [odd(2)] })
    expect(issuesIn(await look(world))).toEqual(['tool_error action_2 action.encoding'])
  })

  test.each([
    ['notes', { issues: [issueOf({ severity: 'Info' })] }],
    ['a warning that one step shows', { issues: [issueOf({ stepIds: ['1/1'] })] }],
    [
      'an outage',
      { issues: [issueOf({ class: 'llm_error', severity: 'Error' })], outcome: 'failed', code: 'model.connect' },
    ],
    ['a thread that an outage ended', { issues: [issueOf()], outcome: 'failed', code: 'model.connect' }],
    ['the surroundings', { issues: [issueOf({ subject: 'http', code: 'http.timeout' })] }],
    ['a thread that a person stopped', { issues: [issueOf()], outcome: 'stopped' }],
    ['a thread that a person said to be wrong', { issues: [issueOf()], isCorrected: true }],
    ['a refusal', { issues: [issueOf()], outcome: 'denied' }],
    ['a budget', { issues: [issueOf()], outcome: 'budget' }],
    ['a thread of learning itself', { issues: [issueOf()], mission: 'conversation-insights' }],
    ['another project', { issues: [issueOf()], projectId: 'q' }],
  ] as const)('nothing of %s', async (_name, of) => {
    const world = learnWorld()
    world.thread(of)
    expect(issuesIn(await look(world))).toEqual([])
    expect(items(world)).toEqual([])
  })

  test('one firing looks at so many threads, and says that there are more', async () => {
    const world = learnWorld()
    for (let n = 0; n <= limits.learningThreads; n += 1) world.thread({ issues: [odd(n)] })
    const first = await look(world)
    expect(first).toMatchObject({ threads: limits.learningThreads, isMore: true })
    expect(await look(world)).toMatchObject({ threads: 1, isMore: false })
  })

  test('the words of somebody else are marked as theirs', async () => {
    const world = learnWorld()
    const { source } = world.improvement.actions.find(({ name }) => name === 'trace_findings') ?? {}
    world.thread({ issues: [odd(1)] })
    expect(source?.({}, { ok: true, value: await look(world) })).toBeNull()
    world.thread({ issues: [odd(2)], sources: [foreign] })
    expect(source?.({}, { ok: true, value: await look(world) })).toMatchObject({ kind: 'error', isOfProject: false })
  })
})

describe('a crash', () => {
  test('loses no thread and doubles none: the same call reads the same, whatever came since', async () => {
    const world = learnWorld()
    world.thread({ issues: [odd(1)] })
    const threadId = world.firing()
    await world.call('trace_findings', {}, { threadId, key: 'k' })
    world.thread({ issues: [odd(2)] })
    const again = openLearnWorld(copyOf(world.dataDir), world.now)
    expect(issuesIn(await again.call('trace_findings', {}, { threadId, key: 'k' }))).toHaveLength(1)
    again.end(threadId)
    expect(issuesIn(await look(again))).toEqual(['tool_error action_2 action.encoding'])
    await again.close()
  })

  test('a firing that came to nothing leaves its threads to the next one, and what it proposed is proposed once', async () => {
    const world = learnWorld()
    world.thread({ issues: [issueOf(), odd(1)] })
    expect(issuesIn(await look(world, { isAnswered: false }))).toHaveLength(2)
    expect(issuesIn(await look(world))).toHaveLength(2)
    expect(issuesIn(await look(world))).toEqual([])
    expect(rules(world)).toHaveLength(1)
  })

  test('a firing whose thread was answered without an account leaves its threads, too', async () => {
    const world = learnWorld()
    world.thread({ issues: [odd(1)] })
    const threadId = world.firing()
    expect(issuesIn(await world.call('trace_findings', {}, { threadId }))).toHaveLength(1)
    world.end(threadId, 'answered', { account: 'none' })
    expect(issuesIn(await look(world))).toHaveLength(1)
    expect(issuesIn(await look(world))).toEqual([])
  })

  test('one that asks for more goes on where it was', async () => {
    const world = learnWorld()
    for (let n = 0; n <= limits.learningThreads; n += 1) world.thread({ issues: [odd(n)] })
    const threadId = world.firing()
    await world.call('trace_findings', {}, { threadId })
    expect(await world.call('trace_findings', {}, { threadId })).toMatchObject({ threads: 1 })
    world.end(threadId, 'failed')
    expect(await look(world)).toMatchObject({ threads: limits.learningThreads })
  })
})

describe('known fixes', () => {
  test('one that is in force and does not help gives way to the next', async () => {
    const world = learnWorld()
    world.settings = { ...world.settings, learning: { autoApply: true } }
    const { store } = world
    const fix = {
      projectId: 'p',
      issueClass: 'tool_error',
      needs: ['read_file', 'action.not_found'],
      level: 'PROMPT',
    } as const
    store.transaction(() =>
      store.fixes.add({
        ...{ ...fix, id: 'fix_own', strategy: 'Other words.', rule: 'Ask for the path.', origin: 'thr_0' },
        ...{ successes: 0, failures: 1, createdAt: 1 },
      }),
    )
    world.thread({ issues: [issueOf()] })
    await look(world)
    expect(rules(world)).toMatchObject([
      { state: 'live', appliedBy: 'rule', text: expect.stringContaining('list_files') },
    ])
    world.now += 1
    world.thread({ issues: [issueOf()] })
    await look(world)
    expect(rules(world).map(({ text, state }) => [text, state])).toEqual(
      expect.arrayContaining([['Ask for the path.', 'live']]),
    )
    // Both are in force: what is left is open.
    world.now += 1
    world.thread({ issues: [issueOf()] })
    expect(listIn(await look(world), 'findings')).toMatchObject([{ made: 'open' }])
    expect(rules(world)).toHaveLength(2)
  })

  test('one that a person refused is not asked about again', async () => {
    const world = learnWorld()
    world.thread({ issues: [issueOf()] })
    await look(world)
    const [rule = expect.fail('nothing was proposed')] = rules(world)
    world.improvement.desk.decide({ id: rule.id, decision: 'reject', sha256: rule.sha256 ?? '' })
    world.thread({ issues: [issueOf()] })
    expect(listIn(await look(world), 'findings')).toMatchObject([{ made: 'open' }])
    expect(world.improvement.desk.pendingCount).toBe(0)
  })

  test('where no more may wait, the rest of the run goes on and says why', async () => {
    const world = learnWorld()
    const shown = world.thread({ issues: [odd(1)] })
    for (let n = 0; n < limits.learntPending; n += 1) {
      const args = {
        rule: `Rule ${n}.`,
        issue: 'tool_error action_1 action.encoding',
        threads: [shown.number],
        reason: 'x',
      }
      await world.call('overlay_propose', args, { threadId: world.firing() })
    }
    world.thread({ issues: [issueOf()] })
    const result = await look(world)
    expect(issuesIn(result)).toHaveLength(2)
    expect(result.done).toMatch(
      /made 0 of 2 by known fixes\. .* 1 not taken: there are \d+ proposals that wait already\./,
    )
    expect(await look(world)).toMatchObject({ findings: [] })
  })

  test('steps that did not suffice become a proposal on the setting', async () => {
    const world = learnWorld()
    const reason = `All ${limits.maxSteps} steps were used without an answer.`
    const spent = issueOf({ class: 'no_response', severity: 'Error', reason })
    world.thread({ outcome: 'maxSteps', issues: [spent] })
    await look(world)
    expect(items(world)).toMatchObject([
      { kind: 'setting', state: 'pending', text: 'Budget of steps for each thread: no limit → 100' },
    ])
  })

  test('not where the thread itself was given few', async () => {
    const world = learnWorld()
    const spent = issueOf({
      class: 'no_response',
      severity: 'Error',
      reason: 'All 3 steps were used without an answer.',
    })
    world.thread({ outcome: 'maxSteps', maxSteps: 3, issues: [spent] })
    await look(world)
    expect(items(world)).toEqual([])
  })

  test('what only the program’s authors can mend is written down for them', async () => {
    const world = learnWorld()
    const { number } = world.thread({ issues: [issueOf({ class: 'code_vm_panic', severity: 'Error' })] })
    await look(world)
    const [entry = expect.fail('nothing was written')] = items(world)
    expect(entry).toMatchObject({ kind: 'code', state: 'live' })
    expect(world.memory.get(entry.id).content).toContain(`#${number}`)
    expect(world.improvement.promptText('p')).toBe('')
  })

  test('an action that there is not is a Spec, beside the rule', async () => {
    const world = learnWorld()
    world.thread({ issues: [issueOf({ subject: 'send_fax', code: 'action.unknown' })] })
    await look(world)
    expect(items(world).map(({ kind, text }) => [kind, text])).toEqual(
      expect.arrayContaining([['spec', 'Missing capability: send_fax']]),
    )
    expect(rules(world)).toHaveLength(1)
  })

  test('are listed, the best first', async () => {
    const world = learnWorld()
    const result = await world.call('fix_pattern_list', { issue: 'name_lookup' }, { threadId: world.firing() })
    expect(listIn(result, 'fixes')).toMatchObject([{ id: 'bundled:name-error', successes: 0 }])
  })
})

test('a Lesson that a model writes stands in the list, and can be put away', async () => {
  const world = learnWorld()
  const args = { type: 'Lesson', title: 'Dates', content: 'The file has them as day first.' }
  const { doc } = await world.call('lesson_write', args, { threadId: world.firing() })
  expect(items(world)).toMatchObject([{ kind: 'lesson', id: doc, text: 'Dates', state: 'live' }])
  world.improvement.desk.undo(String(doc), null)
  expect((await world.memory.search('p', 'dates', 10)).hits).toEqual([])
})
