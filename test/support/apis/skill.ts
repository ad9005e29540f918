import fs from 'node:fs'
import path from 'node:path'
import { afterAll } from 'vitest'
import type { Json } from '../../../core/domain/json.ts'
import { limits } from '../../../core/domain/limits.ts'
import { prepareCode } from '../../../core/orchestrator/code/prepare.ts'
import { namedArguments } from '../../../core/orchestrator/code-calls.ts'
import { createSandbox, type Sandbox, type Vm } from '../../../core/sandbox/sandbox.ts'
import { parseSkill, type SkillFile, type SkillVerdict } from '../../../core/skills/file/parse.ts'
import { spawnSandbox } from '../children.ts'
import { contentDir } from '../engine.ts'
import { createHttp, HttpFailure } from './http-stand-in.ts'
import type { Api, ApiRequest } from './server.ts'

/** A skill that ships with the app. */
export interface ShippedSkill {
  readonly text: string
  readonly verdict: SkillVerdict
  readonly file: SkillFile
}

export function shippedSkill(name: string): ShippedSkill {
  const bytes = fs.readFileSync(path.join(contentDir, 'skills', name, 'SKILL.md'))
  const verdict = parseSkill(bytes, name)
  if (verdict.outcome === 'reject') throw new Error(JSON.stringify(verdict.diagnostics))
  return { text: bytes.toString(), verdict, file: verdict.skill }
}

/** One for the tests of a file, which call this where they begin: files share this module, and each closes what it opened. */
let sandbox: Sandbox | undefined
export function closeSandboxAtEnd(): void {
  afterAll(async () => {
    await sandbox?.close()
    sandbox = undefined
  })
}

function openSandbox(): Sandbox {
  sandbox ??= createSandbox({
    spawn: spawnSandbox,
    warm: 1,
    monotonicMs: () => performance.now(),
  })
  return sandbox
}

export interface SkillRun {
  readonly skill: SkillFile
  readonly api: Api
  /** Credentials by name; none by default. */
  readonly secrets?: Readonly<Record<string, string>>
}

/** A server of one's own, and Python that runs against it as often as is asked. */
export async function begin({ start, ...on }: Omit<SkillRun, 'api'> & { readonly start: () => Promise<Api> }) {
  const api = await start()
  return { api, run: (code: string) => runPython(code, { ...on, api }) }
}

/** Runs Python as a code step runs it, with the snippets of the skill before it; the value of its last expression. */
export async function runPython(code: string, { skill, api, secrets = {} }: SkillRun): Promise<Json> {
  const source = [...skill.snippets.map((snippet) => snippet.code), code].join('\n')
  const http = createHttp({ skill, addresses: api.addresses, secrets })
  const vm = await start(source)
  try {
    while (vm.state.kind === 'call') {
      const { name } = vm.state
      if (name === '__save_state__') await vm.resume(null)
      else if (name !== 'http') await vm.raise('NameError', `name '${name}' is not defined`)
      else await answer(vm, () => http(namedArguments({ name, args: [], kwargs: {}, ...vm.state }, undefined)))
    }
    if (vm.state.kind === 'failed') throw new Error(vm.state.traceback)
    return vm.state.value
  } finally {
    vm.close()
  }
}

async function answer(vm: Vm, call: () => Promise<Json>): Promise<void> {
  try {
    await vm.resume(await call())
  } catch (error) {
    if (!(error instanceof HttpFailure)) throw error
    await vm.raise('RuntimeError', error.message)
  }
}

/** Why this Python does not compile by itself, as the model would read it; undefined where it does. */
export async function compileFault(code: string): Promise<string | undefined> {
  const vm = await start(code)
  try {
    return vm.state.kind === 'failed' ? vm.state.traceback : undefined
  } finally {
    vm.close()
  }
}

async function start(source: string): Promise<Vm> {
  const prepared = prepareCode(source, { known: ['http'], inputs: ['state'] })
  const [problem] = prepared.problems
  if (problem !== undefined) throw new Error(`line ${problem.line}: ${problem.text}`)
  const vmLimits = { durationMs: limits.codeMs, memoryBytes: limits.codeMemoryBytes }
  return openSandbox().start({ name: 'code', code: prepared.program }, { state: {} }, vmLimits)
}

/** Each call that the text of a skill documents, as it stands there: `GET /repos/{owner}/{repo}/issues?state=open`. */
export function documentedCalls({ body }: SkillFile): readonly string[] {
  return [...body.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) [^`\s]+)`/g)].flatMap(([, call]) => call ?? [])
}

/** Whether a request is the documented call: method, host, path, and every parameter that the text names. */
export function isDocumented(call: string, base: string, request: ApiRequest): boolean {
  const [method, address = ''] = call.split(' ')
  const [place = '', query = ''] = (address.startsWith('/') ? base + address : address).split('?')
  const path = place.split('/').map((part) => (/^\{.*\}$/.test(part) ? wildcard(part) : literally(part)))
  const isThere = new RegExp(`^${path.join('/')}$`).test(request.origin + request.path)
  const names = query === '' ? [] : query.split('&').map((each) => each.split('=')[0] ?? '')
  return method === request.method && isThere && names.every((name) => name in request.query)
}

/** `{path}` and `{doi}` hold slashes. */
const wildcard = (part: string) => (part === '{path}' || part === '{doi}' ? '.+' : '[^/]+')
const literally = (part: string) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
