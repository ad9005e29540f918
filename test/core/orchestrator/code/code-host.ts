import { afterAll } from 'vitest'
import type { Json, JsonObject } from '../../../../core/domain/json.ts'
import { limits } from '../../../../core/domain/limits.ts'
import { assertCallsLeft, isRunaway, savedState } from '../../../../core/orchestrator/code/bounds.ts'
import { type CodeFailure, explainFailure, explainProblems } from '../../../../core/orchestrator/code/explain.ts'
import { prepareCode } from '../../../../core/orchestrator/code/prepare.ts'
import { createSandbox, type VmLimits, type VmState } from '../../../../core/sandbox/sandbox.ts'
import { spawnSandbox } from '../../../support/children.ts'

const known = [
  'read_file',
  'list_files',
  'count',
  'fail',
  'write_file',
  'table',
  'FINAL',
  'llm_query',
  'llm_query_batched',
]

export interface Ran {
  /** Each host call in the order asked; one `__parallel__` is one entry. */
  readonly calls: readonly string[]
  readonly printed: string
  readonly value: Json
  readonly saved: Json | undefined
  readonly finals: readonly Json[]
  readonly failure: CodeFailure | null
  readonly state: VmState['kind'] | 'refused'
}

/** A real sandbox for a test file, and the smallest host that answers what prepared code calls. */
export function codeRunner() {
  const sandbox = createSandbox({ spawn: spawnSandbox, warm: 2, monotonicMs: () => performance.now() })
  afterAll(() => sandbox.close())
  const run = async (source: string, vmLimits: Partial<VmLimits> = {}, state: JsonObject = {}): Promise<Ran> => {
    const prepared = prepareCode(source, { known, inputs: ['state'] })
    const none = { calls: [], printed: '', value: null, saved: undefined, finals: [] }
    if (prepared.problems.length > 0) return { ...none, failure: explainProblems(prepared, source), state: 'refused' }
    const roomy = { durationMs: limits.codeMs, memoryBytes: limits.codeMemoryBytes, ...vmLimits }
    const vm = await sandbox.start({ name: 'code.py', code: prepared.program }, { state }, roomy)
    const host = createHost()
    while (vm.state.kind === 'call' && !host.isRunaway()) {
      const answer = host.answer(vm.state)
      if ('error' in answer) await vm.raise(answer.type, answer.error)
      else await vm.resume(answer.value)
    }
    vm.close()
    const failed = vm.state.kind === 'failed' ? vm.state : null
    const ran = { source, prepared, known, ...(host.raised() !== '' && { raised: host.raised() }) }
    return {
      ...host.seen,
      saved: failed === null ? host.seen.saved : undefined,
      printed: vm.output,
      value: vm.state.kind === 'done' ? vm.state.value : null,
      failure: failed === null ? null : explainFailure(failed, ran),
      state: vm.state.kind,
    }
  }
  return { run, warm: () => sandbox.warm() }
}

type Answer = { readonly value: Json } | { readonly type: string; readonly error: string }
type Call = Extract<VmState, { kind: 'call' }>

function createHost() {
  const seen = { calls: [] as string[], finals: [] as Json[], saved: undefined as Json | undefined }
  let raised = ''
  let refused = 0
  const raise = (type: string, error: string): Answer => {
    if (type === 'RuntimeError') raised = error
    return { type, error }
  }
  function answer({ name, args, kwargs }: Call): Answer {
    if (name === '__save_state__') {
      seen.saved = savedState(args[0])
      return { value: null }
    }
    try {
      assertCallsLeft(seen.calls.length, 1)
    } catch (error) {
      refused += 1
      return raise('RuntimeError', error instanceof Error ? error.message : '')
    }
    seen.calls.push(`${name}${JSON.stringify(args)}${JSON.stringify(kwargs)}`)
    if (name === '__parallel__') return parallel(args[0] ?? [], kwargs.return_exceptions === true)
    if (name === 'FINAL') {
      seen.finals.push(args[0] ?? null)
      return { value: null }
    }
    return known.includes(name) ? act(name, args, kwargs) : raise('NameError', `name '${name}' is not defined`)
  }
  function parallel(list: Json, isLenient: boolean): Answer {
    const values: Json[] = []
    for (const each of Array.isArray(list) ? list : []) {
      const one = act(String(each[0]), each[1], each[2])
      if ('value' in one) values.push(one.value)
      else if (isLenient) values.push(`Error: ${one.error}`)
      else return one
    }
    return { value: values }
  }
  function act(name: string, args: readonly Json[], kwargs: JsonObject): Answer {
    if (name === 'fail') return raise('RuntimeError', 'the file is missing')
    if (name === 'count') return { value: Number(args[0] ?? kwargs.n) * 2 }
    if (name === 'list_files') return { value: { entries: [{ path: 'a.md' }, { path: 'b.md' }] } }
    if (name === 'llm_query') return { value: `said ${String(args[0])}` }
    return { value: { path: String(args[0] ?? kwargs.path), text: `text of ${String(args[0] ?? kwargs.path)}` } }
  }
  return { answer, seen, raised: () => raised, isRunaway: () => isRunaway(refused) }
}
