import { describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../../core/domain/error.ts'
import type { EventData, StoredEvent } from '../../../core/domain/event.ts'
import type { TraceIssue } from '../../../core/domain/issue.ts'
import type { ThreadHeader } from '../../../core/domain/thread.ts'
import { analyseTrace, issueDoc, issuesWorthKeeping } from '../../../core/learning/learning.ts'

const answered: ThreadHeader = {
  id: 'thr_1',
  number: 7,
  projectId: 'prj_1',
  conversationId: 'con_1',
  title: 'Count the words',
  goal: 'Count the words',
  state: 'Done',
  outcome: 'answered',
  reason: null,
  tier: 'allegro',
  model: null,
  maxSteps: null,
  parentId: null,
  rootId: 'thr_1',
  depth: 0,
  missionId: null,
  budget: { tokens: null, usd: null, ms: null },
  steps: 2,
  inputTokens: 0,
  outputTokens: 0,
  usd: 0,
  createdAt: 0,
  updatedAt: 0,
  endedAt: 1,
}
const ended = (outcome: ThreadHeader['outcome'], more: Partial<ThreadHeader> = {}): ThreadHeader => ({
  ...answered,
  outcome,
  ...more,
})
const failed = (reason: string): ThreadHeader => ended('failed', { state: 'Failed', reason })

const record = (...events: readonly EventData[]): readonly StoredEvent[] =>
  events.map((event, at) => ({ ...event, seq: at + 1, threadId: 'thr_1', at }))
const said = (content = 'There are 12.'): EventData => ({
  kind: 'message.added',
  data: { role: 'assistant', origin: 'final', preview: content },
  body: { content },
})
const step = (n: number): EventData => ({
  kind: 'step.started',
  data: { step: n, providerId: 'p', model: 'm', tier: 'allegro', messages: 1, promptTokens: 1, checkpoint: null },
})
const model = (n: number, more: { calls?: string[]; codeBlocks?: number } = {}): EventData => ({
  kind: 'model.completed',
  data: {
    step: n,
    providerId: 'p',
    model: 'm',
    durationMs: 1,
    firstTokenMs: null,
    inputTokens: 1,
    outputTokens: 1,
    cachedInputTokens: 0,
    estimated: false,
    finishReason: 'stop',
    calls: more.calls?.length ?? 0,
    ...(more.codeBlocks !== undefined && { codeBlocks: more.codeBlocks }),
    usd: null,
    preview: '',
  },
  body: { text: 'x', toolCalls: (more.calls ?? []).map((id) => ({ id, name: 'read_file', arguments: {} })) },
})
const started = (n: number, path = '1', summary = `${n}.md`, callId = `c${n}`): EventData => ({
  kind: 'action.started',
  data: {
    step: n,
    path,
    callId,
    name: 'read_file',
    argsHash: null,
    leaseId: null,
    usesLeft: null,
    policy: { verdict: 'allow', check: null, reason: null, effects: [] },
    summary,
  },
})
const finished = (n: number, code?: ErrorCode, path = '1'): EventData => ({
  kind: 'action.finished',
  data: {
    step: n,
    path,
    callId: `c${n}`,
    name: 'read_file',
    ok: code === undefined,
    ...(code && { code }),
    durationMs: 1,
    summary: `${n}.md`,
  },
  body: { result: code === undefined ? { text: '' } : { error: { code, message: `no file ${n}.md` } } },
})
const ran = (n: number, category?: 'runtime_error' | 'resource_limit' | 'tool_error', output = ''): EventData => ({
  kind: 'code.finished',
  data: {
    step: n,
    path: '1',
    ok: category === undefined,
    ...(category && { category }),
    durationMs: 1,
    calls: 0,
    outputCharacters: output.length,
    isFinal: false,
    summary: category === undefined ? 'done' : 'line 3: ValueError',
  },
  body: { output },
})
const moved = (to: 'Failed' | 'Completed', code?: ErrorCode): EventData => ({
  kind: 'thread.state',
  data: { from: 'Running', to, ...(code && { code }) },
})
const lease: EventData = {
  kind: 'lease.granted',
  data: { leaseId: 'l', capability: 'files', actions: ['read_file'], effects: [], expiresAt: null, usesLeft: null },
}
const calm = (n: number): readonly EventData[] => [step(n), model(n, { calls: [`c${n}`] }), started(n), finished(n)]

describe('each class from its own record', () => {
  test.each<[name: string, thread: ThreadHeader, events: readonly EventData[], expected: Partial<TraceIssue>]>([
    [
      'thread_failure',
      failed('7 steps in a row in which every action failed'),
      [step(0), step(6), moved('Failed', 'action.failed')],
      {
        class: 'thread_failure',
        severity: 'Error',
        stepIds: ['6'],
        reason: 'The thread failed: 7 steps in a row in which every action failed',
      },
    ],
    [
      'llm_error',
      failed('The server does not answer.'),
      [step(1), moved('Failed', 'model.connect')],
      { class: 'llm_error', severity: 'Error', stepIds: ['1'] },
    ],
    [
      'llm_error of a key that is missing',
      failed('No key.'),
      [step(0), moved('Failed', 'secret.unavailable')],
      { class: 'llm_error', severity: 'Error' },
    ],
    [
      'orchestrator_error',
      failed('The step loop broke.'),
      [step(3), moved('Failed', 'sandbox.raised')],
      { class: 'orchestrator_error', severity: 'Error', stepIds: ['3'] },
    ],
    [
      'orchestrator_error of a version that was given up',
      answered,
      [step(2), { kind: 'orchestrator.failed', data: { version: 2, failures: 1, reason: 'line 4: KeyError' } }, said()],
      { class: 'orchestrator_error', severity: 'Error', reason: 'The step loop went wrong: line 4: KeyError' },
    ],
    [
      'orchestrator_error of a divergence',
      answered,
      [{ kind: 'orchestrator.diverged', data: { step: 2, expected: 'a', got: 'b' } }, said()],
      { class: 'orchestrator_error', severity: 'Warning', stepIds: ['2'] },
    ],
    [
      'no_response',
      answered,
      [...calm(0), step(1), said('  ')],
      { class: 'no_response', severity: 'Warning', stepIds: ['1'] },
    ],
    [
      'no_response of a thread that used up its steps',
      ended('maxSteps', { steps: 3 }),
      calm(0),
      { class: 'no_response', severity: 'Warning', reason: 'All 3 steps were used without an answer.' },
    ],
    [
      'tool_error, one for an action however often it failed',
      answered,
      [started(0), finished(0, 'action.not_found'), started(1), finished(1, 'action.not_found'), ...calm(2), said()],
      {
        class: 'tool_error',
        severity: 'Warning',
        stepIds: ['0/1', '1/1'],
        reason: 'read_file failed 2 times, last: no file 1.md',
      },
    ],
    [
      'code_runtime_error',
      answered,
      [ran(0, 'runtime_error'), ran(1, 'runtime_error'), said()],
      {
        class: 'code_runtime_error',
        severity: 'Warning',
        stepIds: ['0/1', '1/1'],
        reason: 'Code stopped at an error of its own 2 times: line 3: ValueError',
      },
    ],
    [
      'code_resource_limit',
      answered,
      [ran(0, 'resource_limit'), said()],
      { class: 'code_resource_limit', severity: 'Error', stepIds: ['0/1'] },
    ],
    [
      'code_error, of an error that was caught and printed',
      answered,
      [ran(0, undefined, '[stdout]\nno: KeyError: 3'), said()],
      { class: 'code_error', severity: 'Warning', stepIds: ['0/1'], reason: 'Code printed KeyError and went on.' },
    ],
    [
      'empty_call_id',
      answered,
      [model(0, { calls: [''] }), said()],
      { class: 'empty_call_id', severity: 'Error', stepIds: ['0'] },
    ],
    [
      'missing_tool_output',
      answered,
      [started(0), said()],
      {
        class: 'missing_tool_output',
        severity: 'Warning',
        stepIds: ['0/1'],
        reason: '1 call has no result: read_file',
      },
    ],
    [
      'excessive_steps that repeat',
      ended('answered', { steps: 11 }),
      [0, 1, 2, 3].flatMap((n) => [started(n, '1', 'same.md'), finished(n)]).concat(said()),
      {
        class: 'excessive_steps',
        severity: 'Warning',
        stepIds: ['2/1', '3/1'],
        reason: '11 steps, more than 10; 2 repeated what was done before.',
      },
    ],
    [
      'excessive_steps of a large task',
      ended('answered', { steps: 11 }),
      [...calm(0), step(10), said()],
      { class: 'excessive_steps', severity: 'Info', stepIds: ['10'], reason: '11 steps, more than 10.' },
    ],
    [
      'no_tools_used',
      ended('answered', { steps: 1 }),
      [lease, step(0), model(0), said()],
      { class: 'no_tools_used', severity: 'Info', stepIds: ['0'] },
    ],
    [
      'mixed_mode',
      answered,
      [...calm(0), ...calm(1), model(2, { codeBlocks: 1 }), ran(2), said()],
      {
        class: 'mixed_mode',
        severity: 'Info',
        stepIds: ['2'],
        reason: '1 of 3 steps wrote code, the others did it the other way.',
      },
    ],
  ])('%s', (_name, thread, events, expected) => {
    expect(analyseTrace(thread, record(...events))).toMatchObject([expected])
  })

  test('worst first', () => {
    const events = [started(0), finished(0, 'action.not_found'), ran(1, 'resource_limit'), ...calm(2), said()]
    expect(analyseTrace(answered, record(...events)).map((issue) => issue.severity)).toEqual([
      'Error',
      'Warning',
      'Info',
    ])
  })
})

describe('nothing to report', () => {
  test.each<[name: string, thread: ThreadHeader, events: readonly EventData[]]>([
    ['a thread that went well', answered, [lease, ...calm(0), ...calm(1), said(), moved('Completed')]],
    ['an empty record', ended(null, { state: 'Created' }), []],
    ['a thread that is still at work', ended(null, { state: 'Running' }), [...calm(0), started(1)]],
    ['a stop by the user', ended('stopped'), [...calm(0), started(1), moved('Completed', 'cancelled')]],
    ['a spent budget', ended('budget'), [...calm(0), started(1), finished(1, 'budget.stopped')]],
    ['a refusal by the user', ended('denied'), [...calm(0), started(1), finished(1, 'approval.denied')]],
    ['an approval that ran out', ended(null, { state: 'Suspended' }), [started(1), finished(1, 'approval.expired')]],
    ['a call that a crash cut off', answered, [started(0), finished(0, 'action.interrupted'), ...calm(1), said()]],
    ['a failure because the app was closed', failed('closed'), [moved('Failed', 'engine.stopped')]],
    ['exactly ten steps', ended('answered', { steps: 10 }), [...calm(0), said()]],
    ['an answer without actions where there are none', ended('answered', { steps: 1 }), [step(0), model(0), said()]],
    [
      'a retry of the model',
      answered,
      [
        { kind: 'model.retried', data: { step: 0, attempt: 1, waitMs: 1, code: 'model.rate_limit' } },
        ...calm(0),
        said(),
      ],
    ],
    [
      'code that ran well',
      answered,
      [model(0, { codeBlocks: 1 }), ran(0, undefined, '[stdout]\n12 errors counted'), said()],
    ],
  ])('%s', (_name, thread, events) => {
    expect(analyseTrace(thread, record(...events))).toEqual([])
  })
})

describe('what is kept', () => {
  const issue = (
    severity: TraceIssue['severity'],
    stepIds: string[],
    issueClass: TraceIssue['class'] = 'tool_error',
  ) => ({
    class: issueClass,
    severity,
    stepIds,
    reason: 'read_file failed.',
  })

  test('errors, and warnings on two steps; never notes or outages', () => {
    const kept = [issue('Error', ['1']), issue('Warning', ['1', '2'])]
    const dropped = [issue('Warning', ['1']), issue('Info', ['1', '2', '3']), issue('Error', ['1', '2'], 'llm_error')]
    expect(issuesWorthKeeping([...dropped, ...kept])).toEqual(kept)
  })

  test('as a doc that names the thread, the class, the reason and the steps', () => {
    const many = Array.from({ length: 25 }, (_, n) => `${n}/1`)
    expect(issueDoc(answered, [issue('Warning', ['1/1', '2/1'])])).toEqual({
      title: 'Issues of thread #7: Count the words',
      content: 'In thread #7 (“Count the words”):\n\n- **tool_error** (Warning): read_file failed. Steps: 1/1, 2/1.',
    })
    expect(issueDoc(answered, [issue('Error', many)]).content).toContain('19/1 and 5 more.')
  })
})
