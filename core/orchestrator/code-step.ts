import { hash } from 'node:crypto'
import type { CodeCategory } from '../domain/code.ts'
import { AppError } from '../domain/error.ts'
import { type CodeFinished, type CodeFinishedBody, previewOf } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import { limits } from '../domain/limits.ts'
import type { Source } from '../domain/source.ts'
import { boundText } from '../domain/text.ts'
import type { Vm } from '../sandbox/sandbox.ts'
import { type CodeFailure, explainFailure, explainProblems, linesOfTraceback } from './code/explain.ts'
import { formatOutput, type ShownCall } from './code/output.ts'
import { type PreparedCode, prepareCode } from './code/prepare.ts'
import { type Answer, createCodeHost, type Performed } from './code-host.ts'
import type { CodeParts, CodeStep } from './code-parts.ts'
import { isAnyInstalled, loadedSkills } from './loaded-skills.ts'
import { endedCalls, resultsOf } from './recorded-calls.ts'
import type { RecordedCode, RecordedStep } from './recorded-step.ts'
import type { StepSnippets } from './snippet-shelf.ts'

/** `output` is what the model reads. `changed`: something that does not only read succeeded. */
export type CodeEnd =
  | {
      readonly kind: 'done'
      readonly ok: boolean
      readonly final: string | null
      readonly output: string
      /** The whole text of the skills that it loaded: the output shows the beginning of each only. '' for none. */
      readonly skills: string
      /** What the output may quote that was not from a person. */
      readonly sources: readonly Source[]
      readonly state: Json | undefined
      /** Of its calls, for the next block: `previous_results`. */
      readonly results: JsonObject
      readonly isChanged: boolean
    }
  | { readonly kind: 'waits'; readonly reason: string }

const codePath = '1'

/**
 * Runs a model's code in the sandbox; its calls go through the one door. Before any effect its bytes are on disk, so it goes
 * on at that very call after a crash, a quit, or three days of waiting for a person. @throws AppError cancelled
 */
export async function runCode(step: CodeStep, parts: CodeParts): Promise<CodeEnd> {
  const { source, scope, recorded } = step
  const onRecord = recorded?.code?.finished
  if (onRecord !== undefined) return endOnRecord(onRecord, recorded)
  const known = [...step.tools.map((tool) => tool.name)]
  const snippets = await parts.snippetShelf.for({ source, known }, step.snippets)
  const prepared = prepareCode(source, { known, inputs: Object.keys(step.inputs), before: snippets.before })
  const end = (ran: Ran) => finish(step, parts, { ...ran, snippets })
  if (recorded?.code === undefined) {
    const data = { step: scope.step, path: codePath, sha256: hash('sha256', source), lines: prepared.lines }
    scope.journal.stage({ kind: 'code.started', data })
    faultPoint('code.started')
    scope.journal.commitSoon()
  }
  if (prepared.problems.length > 0) {
    const failure = explainProblems(prepared, source)
    return end({ ...nothingRan, failure })
  }
  const vm = await startOrLoad(step, { prepared, parts })
  if ('failure' in vm) return end({ ...nothingRan, failure: vm.failure })
  try {
    return await drive({ vm: vm.vm, output: vm.output, from: vm.nextCall, prepared, known, end }, step, parts)
  } finally {
    vm.vm.close()
  }
}

interface Driven {
  readonly vm: Vm
  /** Printed before it was stored. */
  readonly output: string
  /** The call that it stands at. */
  readonly from: number
  readonly prepared: PreparedCode
  readonly known: readonly string[]
  end(ran: Ran): CodeEnd
}

interface Ran {
  readonly stdout: string
  readonly usedMs: number
  readonly performed: readonly Performed[]
  readonly returned: Json | undefined
  readonly final: string | null
  readonly state: Json | undefined
  readonly failure: CodeFailure | undefined
  /** Lines of the program, of every call that was under way when it failed. */
  readonly failedAt: readonly number[]
}
const nothingRan: Ran = {
  ...{ stdout: '', usedMs: 0, performed: [], returned: undefined, final: null, state: undefined, failure: undefined },
  failedAt: [],
}

async function drive(driven: Driven, step: CodeStep, parts: CodeParts): Promise<CodeEnd> {
  const { vm, prepared, known, end } = driven
  const host = createCodeHost({ vm, step, parts, path: codePath, printedBefore: driven.output, from: driven.from })
  let raised: string | undefined
  while (vm.state.kind === 'call') {
    if (step.scope.signal.aborted) throw cancelled()
    const answer = await host.answer(vm.state)
    if (answer.kind === 'waits') {
      faultPoint('code.waiting')
      return { kind: 'waits', reason: answer.reason }
    }
    if (answer.kind === 'final') break
    if (answer.kind === 'end') {
      const failure = { category: 'resource_limit', line: null, text: answer.message } as const
      const { performed } = host
      return end({ ...nothingRan, stdout: driven.output + vm.output, performed, failure })
    }
    raised = await goOn(vm, answer)
    faultPoint('code.resumed')
  }
  if (step.scope.signal.aborted) throw cancelled()
  const ran = {
    ...{ stdout: driven.output + vm.output, usedMs: vm.usedMs, performed: host.performed },
    ...{ final: host.final, state: host.state, failedAt: [] },
  }
  if (vm.state.kind === 'failed') {
    const failure = explainFailure(vm.state, { source: step.source, prepared, known, ...(raised && { raised }) })
    const failedAt = linesOfTraceback(vm.state.traceback)
    return end({ ...ran, returned: undefined, final: null, state: undefined, failure, failedAt })
  }
  const returned = vm.state.kind === 'done' ? vm.state.value : undefined
  return end({ ...ran, returned, failure: undefined })
}

/** Answers what was raised in it, if anything was: a value that is too large to cross is the program's to mend. */
async function goOn(vm: Vm, answer: Extract<Answer, { kind: 'resume' | 'raise' }>): Promise<string | undefined> {
  if (answer.kind === 'raise') {
    await vm.raise(answer.type, answer.message)
    return answer.message
  }
  try {
    await vm.resume(answer.value)
    return undefined
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'engine.value' || vm.state.kind !== 'call') throw error
    await vm.raise('RuntimeError', error.message)
    return error.message
  }
}

async function startOrLoad(
  step: CodeStep,
  { prepared, parts }: { readonly prepared: PreparedCode; readonly parts: CodeParts },
): Promise<{ vm: Vm; output: string; nextCall: number } | { failure: CodeFailure }> {
  const { scope, recorded, inputs } = step
  const stored = recorded?.code && parts.codeVms.get(scope.threadId, scope.step, codePath)
  try {
    if (stored !== undefined) {
      const { bytes, sha256, montyVersion, remainingMs, output, nextCall } = stored
      const vm = await parts.sandbox.load({ bytes, sha256, montyVersion, remainingMs })
      faultPoint('code.vm.loaded')
      return { vm, output, nextCall }
    }
    // No bytes means no effect yet: they are stored in the transaction of the first intent.
    const program = { name: 'code', code: prepared.program }
    const vmLimits = { durationMs: limits.codeMs, memoryBytes: limits.codeMemoryBytes }
    const vm = await parts.sandbox.start(program, inputs, vmLimits)
    faultPoint('code.vm.started')
    return { vm, output: '', nextCall: 1 }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'engine.stopped') throw error
    return { failure: { category: 'vm_panic', line: null, text: error.message } }
  }
}

function finish(step: CodeStep, parts: CodeParts, given: Ran & { readonly snippets: StepSnippets }): CodeEnd {
  const { scope } = step
  // What it printed and gave back is stored, and read by the model, alike.
  const ran = withoutSecrets(given, parts.redactor)
  const { failure, final, stdout, returned, performed } = ran
  const { sources } = scope.origin
  const shown = performed.map((each): ShownCall => each)
  const output = formatOutput({
    ...{ stdout, calls: shown, notes: ran.snippets.leftOut.map(leftOutNote) },
    ...(returned !== undefined && { returned }),
    ...(failure !== undefined && { failure: { text: failure.text } }),
  })
  const facts: { ok: boolean; category?: CodeCategory } =
    failure === undefined ? { ok: true } : { ok: false, category: failure.category }
  const data = {
    ...{ step: scope.step, path: codePath, ...facts, durationMs: Math.round(ran.usedMs * 100) / 100 },
    ...{ calls: performed.length, outputCharacters: stdout.length, isFinal: final !== null },
    summary: previewOf(failure?.text ?? final ?? output),
    ...(sources.length > 0 && { sources }),
    ...(ran.snippets.used.length > 0 && { snippets: usedIn(ran) }),
  }
  const body: CodeFinishedBody = {
    output,
    ...(returned !== undefined && { returned }),
    ...(final !== null && { final }),
    ...(failure !== undefined && { traceback: failure.text }),
    ...(ran.state !== undefined && { state: ran.state }),
  }
  scope.journal.stage({ kind: 'code.finished', data, body })
  const skills = loadedSkills(performed)
  if (skills !== '') stageSkills(skills, scope)
  faultPoint('code.ended')
  scope.journal.commitWith(() => parts.codeVms.drop(scope.threadId, scope.step, codePath))
  faultPoint('code.finished')
  const results = Object.fromEntries(performed.flatMap(({ label, ok, result }) => (ok ? [[label, result]] : [])))
  const isChanged = performed.some((each) => each.isChange && each.ok)
  return {
    kind: 'done',
    ok: failure === undefined,
    final,
    output,
    skills,
    sources,
    state: ran.state,
    results,
    isChanged,
  }
}

/** In the transaction of the output: it is told after that, and stays when the rest is summed up. */
function stageSkills(content: string, { journal, origin }: CodeStep['scope']): void {
  const sources = isAnyInstalled(content) ? origin.sources.filter(({ kind }) => kind === 'skill') : []
  const data = { role: 'system', origin: 'skills', preview: previewOf(content) } as const
  journal.stage({
    ...{ kind: 'message.added', body: { content } },
    data: { ...data, ...(sources.length > 0 && { sources }) },
  })
}

function withoutSecrets<Given extends Ran>(ran: Given, redactor: Redactor): Given {
  const { stdout, returned = null, final, state = null, failure = null } = ran
  const { value, hits } = redactor.redact({ stdout, returned, final, state, failure })
  if (hits.length === 0) return ran
  return {
    ...{ ...ran, stdout: value.stdout, final: value.final },
    ...(ran.returned !== undefined && { returned: value.returned }),
    ...(ran.state !== undefined && { state: value.state }),
    ...(value.failure !== null && { failure: value.failure }),
  }
}

function usedIn({
  snippets,
  failedAt,
}: Ran & { readonly snippets: StepSnippets }): NonNullable<CodeFinished['snippets']> {
  return snippets.used.map(({ snippet: { skill, version, name }, firstLine, lastLine }) => {
    const raised = failedAt.some((line) => line >= firstLine && line <= lastLine)
    return { skill, version, name, raised }
  })
}

function leftOutNote({ snippet: { name, skill }, reason }: StepSnippets['leftOut'][number]): string {
  return `[${name} of the skill ${skill} was left out: ${boundText(reason, limits.errorCharacters)}]`
}

/** The step is over already: its answers are those of the record. */
function endOnRecord(
  { data, body }: NonNullable<RecordedCode['finished']>,
  recorded: RecordedStep | undefined,
): CodeEnd {
  const actions = [...(recorded?.actions ?? [])]
  const results = recorded === undefined ? {} : resultsOf(recorded)
  const isChanged = actions.some(([, { argsHash, result }]) => argsHash !== null && result?.ok === true)
  const { output, final = null, state } = body
  const { ok, sources = [] } = data
  const skills = recorded === undefined ? '' : loadedSkills(endedCalls(recorded))
  return { kind: 'done', ok, final, output, skills, sources, state, results, isChanged }
}

function cancelled(): AppError {
  return new AppError('cancelled', { message: 'stopped', userMessage: 'Stopped.' })
}
