import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { actions, defineAction } from '../../core/capabilities/capabilities.ts'
import { exportDocs } from '../../core/cli/docs.ts'
import { report } from '../../core/cli/run.ts'
import { show } from '../../core/cli/thread-show.ts'
import { errorBody } from '../../core/domain/error.ts'
import { createGate } from '../../core/domain/leaks/gate.ts'
import { findKnown, type KnownSecret } from '../../core/domain/leaks/known.ts'
import { noRedactor } from '../../core/domain/leaks/redactor.ts'
import type { CompletionRequest } from '../../core/domain/model.ts'
import type { Engine, EngineOptions } from '../../core/engine.ts'
import { createFileSecrets } from '../../core/file-secrets.ts'
import { connectSocket } from '../../core/socket-client.ts'
import { accessTo, printed } from '../core/cli/support.ts'
import { contentDir, eventsOf, folderWith, startEngine, temporaryFolder, useScriptedModel } from '../support/engine.ts'
import { startModelServer } from '../support/model-server.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../support/scripted-model.ts'

/** New for each run, and of no shape that a scanner knows: only its value gives it away. */
const key = `Cn${randomBytes(18).toString('base64url')}9`
const password = `cn ${randomBytes(9).toString('hex')}/+"${randomBytes(6).toString('base64url')}~`
const canaries: readonly KnownSecret[] = [key, password, key.toLowerCase()].map((value, at) => ({
  name: `${at}`,
  value,
}))
const gate = createGate(canaries)

/** A part at a time, each with the beginning of the next: most of a store says nothing. */
function isIn(text: string): boolean {
  for (let at = 0; at < text.length; at += 8_000) {
    const part = text.slice(at, at + 10_000)
    if (gate(part) && findKnown(part, canaries).length > 0) return true
  }
  return false
}

const spellings = [
  key,
  password,
  Buffer.from(`user:${key}`).toString('base64'),
  Buffer.from(key).toString('hex'),
  encodeURIComponent(password),
  JSON.stringify({ password }),
  [...key].map((letter) => `&#${letter.charCodeAt(0)};`).join(''),
  [...key].join(' '),
].join('\n')

const half = Math.floor(key.length / 2)
const halves = `a = ${JSON.stringify(key.slice(0, half))}\nb = ${JSON.stringify(key.slice(half))}`
const repl = (source: string) => ({ text: `\`\`\`repl\n${source}\n\`\`\`` })

const failing = defineAction({
  name: 'failing',
  description: 'Fails, and quotes what it was given.',
  parameters: z.strictObject({}),
  effects: ['ReadLocal'],
  isIdempotent: true,
  summarize: () => '',
  run: () => {
    throw new Error(`refused with ${spellings}`)
  },
})

/** What each goal makes the model do; it knows the canary and says it in every way. */
const scripts: Readonly<Record<string, readonly object[]>> = {
  reads: [{ toolCalls: [scriptedCall('read_file', { path: 'keys.txt' })] }, { text: 'read it' }],
  says: [{ text: `It is ${spellings}`, reasoning: `I think of ${spellings}` }],
  calls: [
    {
      toolCalls: [
        scriptedCall('write_file', { path: `${key}.txt`, content: spellings }),
        scriptedCall('echo', { text: spellings }),
      ],
    },
    { text: 'called it' },
  ],
  fails: [{ toolCalls: [scriptedCall('failing', {})] }, { text: 'it failed' }],
  notes: [
    { toolCalls: [scriptedCall('memory_write', { title: `about ${key}`, content: spellings })] },
    { toolCalls: [scriptedCall('memory_write', { title: 'plain', content: 'nothing secret' })] },
    { text: 'noted it' },
  ],
  prints: [repl(`${halves}\nprint(a + b)\na + b`), { text: 'printed it' }],
  asks: [repl(`${halves}\nllm_query("use " + a + b)`), repl(`${halves}\nFINAL(a + b)`)],
  delegates: [repl(`${halves}\nFINAL(rlm_query("use " + a + b))`), { text: 'could not' }, { text: 'could not' }],
  changes: [
    { toolCalls: [scriptedCall('write_file', { path: 'keys.txt', content: 'nothing any more' })] },
    { text: 'changed it' },
  ],
  starts: [{ toolCalls: [scriptedCall('shell', { command: 'env' })] }, { text: 'started it' }],
}

function script(): ModelScript {
  const asked = new Map<string, number>()
  return (request: CompletionRequest) => {
    const said =
      request.messages.findLast(({ role, content }) => role === 'user' && /^do: /.test(content))?.content ?? ''
    const goal = /^do: (\w+)/.exec(said)?.[1] ?? ''
    const turn = asked.get(goal) ?? 0
    asked.set(goal, turn + 1)
    return scripts[goal]?.[turn] ?? { text: `done: ${goal}` }
  }
}

/** Every place that a person, a program or a disk reads, as text. */
type Sinks = Record<string, string>

async function campaign(options: Partial<EngineOptions> = {}): Promise<Sinks> {
  const dataDir = temporaryFolder()
  const folder = folderWith({ 'keys.txt': `${spellings}\n` })
  const traceDir = path.join(dataDir, 'traces')
  const sinks: Sinks = {}
  const told: string[] = []
  const model = scriptedModel(script())
  const server = await startModelServer((request) => ({
    status: 401,
    body: { error: { message: `bad key in ${JSON.stringify(request.headers)} and ${password}` } },
  }))
  onTestFinished(server.close)
  const secrets = createFileSecrets({
    file: path.join(dataDir, 'secrets-cli.json'),
    passphrase: 'a passphrase',
    randomBytes,
  })
  const engine = await startEngine({
    ...{ dataDir, traceDir, secrets, embedded: { scripted: model }, actions: [...actions, failing] },
    notify: (text) => told.push(text),
    ...options,
  })
  await useScriptedModel(engine)
  const pushed: unknown[] = []
  engine.subscribe(0, (batch) => pushed.push(batch))
  await engine.api.call('settings.set', {
    patch: {
      policy: {
        deniedEffects: [],
        rules: [{ name: 'asks', when: { kind: 'action', action: 'write_file' }, verdict: 'ask' }],
      },
    },
  })
  const errors: unknown[] = []
  const noting = <Value>(work: Promise<Value>) => work.catch((error: unknown) => void errors.push(errorBody(error)))

  const provider = await engine.api.call('provider.save', {
    provider: { kind: 'openai-compatible', title: 'Echo', baseUrl: server.baseUrl },
    key,
  })
  await engine.api.call('provider.save', {
    provider: { kind: 'openai-compatible', title: 'Other', baseUrl: `${server.origin}/other/v1` },
    key: password,
  })
  await noting(engine.api.call('model.probe', { providerId: provider.id, model: 'test-model' }))
  await noting(engine.api.call('thread.get', { id: key }))
  const answers: unknown[] = [await engine.api.call('model.list', {})]

  const project = await engine.api.call('project.open', { folder })
  const send = async (text: string, more: object = {}) => {
    const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text, ...more })
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    return threadId
  }
  const threadIds: string[] = []
  for (const goal of Object.keys(scripts)) threadIds.push(await send(`do: ${goal}`))
  threadIds.push(await send(`${key} is my key, and ${password} the other one: ${spellings}`))
  threadIds.push(await send('do: nothing', { model: `${provider.id}/test-model` }))

  // What was asked of the person, and an answer with the key in it.
  const { rows: pending } = await engine.api.call('approval.list', { state: 'pending' })
  for (const { id } of pending) {
    answers.push(await engine.api.call('approval.get', { id }))
    const edited = { path: 'other.txt', content: spellings }
    await noting(engine.api.call('approval.decide', { id, decision: 'approve', edited }))
    await noting(engine.api.call('approval.decide', { id, decision: 'deny', reason: `because of ${key}` }))
  }
  await engine.threads.join(threadIds, AbortSignal.timeout(60_000))
  await engine.api.call('doc.save', {
    projectId: project.id,
    type: 'Note',
    title: `of a person ${key}`,
    content: spellings,
    tags: [key],
  })
  // Whoever listens may fail, and what it says is shown as the engine's fault.
  engine.subscribe(0, () => {
    throw new Error(`the listener quotes ${spellings}`)
  })

  sinks['the prompts of the model'] = JSON.stringify(model.requests)
  sinks['the events'] = JSON.stringify(threadIds.flatMap((id) => eventsOf(engine, id)))
  sinks['what is pushed to windows, live text too'] = JSON.stringify(pushed)
  sinks['live text, joined'] = liveText(pushed)
  sinks['the answers of the engine'] = JSON.stringify([...answers, await allAnswers(engine, project.id, threadIds)])
  sinks['its errors'] = JSON.stringify(errors)
  sinks['its fault'] = JSON.stringify((await engine.api.call('engine.info', {})).fault)
  sinks.approvals = JSON.stringify(answers.slice(1))
  sinks.docs = JSON.stringify(await docsOf(engine, project.id))
  sinks['notices of the system'] = JSON.stringify(told)
  sinks['what another process is told'] = await overSocket(dataDir, threadIds)
  Object.assign(sinks, await commandLine(engine, dataDir, threadIds))
  sinks['exported docs'] = await exported(engine, folder)
  sinks['the environment of children'] = childEnvironments()
  await engine.store.backup('canary')
  sinks['the log of the store, before it is closed'] = bytesOf(dataDir, /-wal$/)
  await engine.stop('the campaign is over')
  sinks['the store'] = bytesOf(dataDir, /\.db$|\.sqlite$/, /backup/)
  sinks.backups = bytesOf(path.join(dataDir, 'backups'), /./)
  sinks.traces = bytesOf(traceDir, /./)
  sinks['every other file of the data folder'] = bytesOf(dataDir, /./, /backup|traces|\.db|\.sqlite|-wal|trash/)
  return sinks
}

function liveText(pushed: readonly unknown[]): string {
  const batches = z.array(z.object({ deltas: z.array(z.object({ kind: z.string(), text: z.string() })) })).parse(pushed)
  return batches.flatMap(({ deltas }) => deltas.map(({ text }) => text)).join('')
}

async function allAnswers(engine: Engine, projectId: string, threadIds: readonly string[]): Promise<unknown> {
  const { api } = engine
  const answers: unknown[] = [
    await api.call('thread.list', { limit: 100 }),
    await api.call('settings.get', {}),
    await api.call('doc.list', { projectId }),
    await api.call('approval.list', { state: 'decided' }),
    await api.call('provider.keychain', {}),
  ]
  for (const id of threadIds) {
    answers.push(await api.call('chat.messages', { conversationId: id }), await api.call('thread.calls', { id }))
    const { rows } = await api.call('thread.events', { id, limit: 1_000 })
    for (const { seq } of rows) answers.push(await api.call('event.body', { seq }))
    answers.push(await api.call('thread.children', { id }))
  }
  return answers
}

async function docsOf(engine: Engine, projectId: string): Promise<unknown> {
  const { rows } = await engine.api.call('doc.list', { projectId })
  expect(rows.length).toBeGreaterThan(1)
  return Promise.all(rows.map(({ id }) => engine.api.call('doc.get', { id })))
}

async function overSocket(dataDir: string, threadIds: readonly string[]): Promise<string> {
  const owner = z
    .object({ socket: z.string() })
    .parse(JSON.parse(fs.readFileSync(path.join(dataDir, 'owner.json'), 'utf8')))
  const client = await connectSocket(owner.socket)
  const heard: unknown[] = []
  client.subscribe(
    0,
    (batch) => heard.push(batch),
    () => undefined,
  )
  for (const id of threadIds) heard.push(await client.call('chat.messages', { conversationId: id }))
  heard.push(await client.call('model.list', {}))
  await client.call('thread.get', { id: key }).catch((error: unknown) => heard.push(errorBody(error)))
  client.close()
  return JSON.stringify(heard)
}

/** The commands in this process, and one in its own. */
async function commandLine(engine: Engine, dataDir: string, threadIds: readonly string[]): Promise<Sinks> {
  const [shown, forPeople] = [printed(true), printed(false)]
  for (const id of threadIds) {
    for (const { terminal } of [shown, forPeople]) {
      await show(accessTo(engine), terminal, { id, events: true, messages: true })
      await report(accessTo(engine), terminal, await engine.api.call('thread.get', { id }))
    }
  }
  await accessTo(engine)
    .call('thread.get', { id: key })
    .catch((error: unknown) => forPeople.terminal.fail(error))
  const cli = path.join(contentDir, 'core/cli.ts')
  const command = [cli, 'thread', 'show', threadIds[0] ?? '', '--json', '--events', '--data', dataDir]
  return {
    'stdout of commands': shown.text() + forPeople.text(),
    'stderr of commands': shown.err() + forPeople.err(),
    'a command of its own': String(execFileSync(process.execPath, command, { encoding: 'utf8' })),
  }
}

async function exported(engine: Engine, folder: string): Promise<string> {
  const out = temporaryFolder()
  await exportDocs(accessTo(engine), printed(true).terminal, { project: folder, id: undefined, out })
  return bytesOf(out, /./)
}

/** Of the processes that this one started: of the sandbox, still warm. Empty where the system does not show them. */
function childEnvironments(): string {
  if (process.platform !== 'linux') return ''
  return fs
    .readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .map((pid) => {
      try {
        const parent = /\nPPid:\s*(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        return parent === String(process.pid) ? fs.readFileSync(`/proc/${pid}/environ`, 'latin1') : ''
      } catch {
        return ''
      }
    })
    .join('\n')
}

function bytesOf(folder: string, wanted: RegExp, unwanted = /^$/): string {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  const chosen = files.filter((file) => wanted.test(file) && !unwanted.test(file.slice(folder.length)))
  return chosen.map((file) => `${file}\n${fs.readFileSync(file, 'latin1')}`).join('\n')
}

const leaking = (sinks: Sinks) => Object.keys(sinks).filter((name) => isIn(sinks[name] ?? ''))

test('a key that comes back in every way there is stands in none of the places that anybody reads', async () => {
  process.env.CANARY_API_KEY = key
  onTestFinished(() => void delete process.env.CANARY_API_KEY)
  const sinks = await campaign()
  expect(leaking(sinks)).toEqual([])
  expect(Object.keys(sinks).length).toBeGreaterThanOrEqual(12)
  // It was there, and is marked as taken out.
  expect(sinks['the events']).toContain('[redacted: stored-key]')
  expect(sinks['live text, joined']).toContain('[redacted: stored-key]')
  expect(sinks['the prompts of the model']).toContain('[redacted: stored-key]')
  expect(sinks['the events']).toContain('secret.redacted')
  expect(sinks['the events']).toContain('action.redacted')
}, 300_000)

test('the same search finds it in the same places where nothing takes it out', async () => {
  process.env.CANARY_API_KEY = key
  onTestFinished(() => void delete process.env.CANARY_API_KEY)
  const sinks = await campaign({ redactor: noRedactor })
  const found = leaking(sinks)
  const safe = Object.keys(sinks).filter((name) => !found.includes(name))
  // No key is ever handed to these.
  expect(safe.toSorted()).toEqual([
    'every other file of the data folder',
    'notices of the system',
    'the environment of children',
  ])
}, 300_000)
