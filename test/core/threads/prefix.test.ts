import { expect, onTestFinished, test } from 'vitest'
import { eventsOf, folderWith, startEngine } from '../../support/engine.ts'
import {
  type ChatRequest,
  type LocalAnswer,
  type LocalServerKind,
  startLocalServer,
} from '../../support/local-servers.ts'

/** What a cache goes by, as it is sent: actions, then messages. */
function cachedPart({ body }: ChatRequest): string {
  return `${JSON.stringify(body.tools)}${JSON.stringify(body.messages).slice(0, -1)}`
}

/** Of a request's bytes, the share with which the next one begins. */
function sharedWith(next: string, before: string): number {
  const [a, b] = [Buffer.from(before), Buffer.from(next)]
  let same = 0
  while (same < a.length && a[same] === b[same]) same += 1
  return same / a.length
}

const call = (name: string, args: Readonly<Record<string, string>>) => ({ toolCalls: [{ name, arguments: args }] })
/** Calls, code, a nudge, a repeated call that is told of, and what a person says meanwhile. */
const script: readonly LocalAnswer[] = [
  call('list_files', {}),
  {
    toolCalls: [
      { name: 'echo', arguments: { text: 'a' } },
      { name: 'echo', arguments: { text: 'b' } },
    ],
  },
  { text: '```repl\nfiles = list_files()\nprint(len(files["entries"]))\n```' },
  { text: 'Let me read the file now.' },
  call('read_file', { path: 'a.md' }),
  call('read_file', { path: 'missing.md' }),
  call('echo', { text: 'again' }),
  call('echo', { text: 'again' }),
  call('echo', { text: 'again' }),
  { text: '```repl\nstate["n"] = 7\nstate["n"]\n```' },
  { text: 'The folder holds one file.' },
]

test.each<LocalServerKind>(['vllm', 'ollama'])(
  'every request to %s begins with the one before it, through calls, code, notes and what is said meanwhile',
  async (kind) => {
    let say = async (): Promise<unknown> => undefined
    const server = await startLocalServer(kind, {
      script: async (_, n) => {
        if (n === 5) await say()
        return script[n] ?? { text: 'done' }
      },
    })
    onTestFinished(() => server.close())
    const engine = await startEngine()
    const provider = { kind: server.kind, title: 'Local', baseUrl: server.baseUrl }
    const { id } = await engine.api.call('provider.save', { provider })
    const mine = { providerId: id, model: 'test-model' }
    await engine.api.call('settings.set', { patch: { tiers: { minuet: mine, allegro: mine, forte: mine } } })
    const project = await engine.api.call('project.open', { folder: folderWith({ 'a.md': '# A\n' }) })
    const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'Look around' })
    say = () => engine.api.call('thread.send', { threadId, text: 'And be brief, please' })
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({ outcome: 'answered' })

    const kinds = eventsOf(engine, threadId).map(({ kind: each }) => each)
    expect(kinds.filter((each) => each === 'code.finished')).toHaveLength(2)
    expect(kinds).toContain('repeat.noticed')
    const notes = eventsOf(engine, threadId).filter(
      (event) => event.kind === 'message.added' && event.data.origin === 'nudge',
    )
    expect(notes.length).toBeGreaterThan(0)

    const sent = server.requests.map(cachedPart)
    expect(sent.length).toBeGreaterThanOrEqual(11)
    const shares = sent.slice(1).map((next, at) => sharedWith(next, sent[at] ?? ''))
    for (const share of shares) expect(share).toBeGreaterThanOrEqual(0.95)
    // The actions stand before the messages, and both before anything that changes.
    for (const { text } of server.requests) {
      expect(text.indexOf('"tools":')).toBeGreaterThan(0)
      expect(text.indexOf('"tools":')).toBeLessThan(text.indexOf('"messages":'))
    }
    const windows = server.requests.map(({ body }) => JSON.stringify(body.options))
    if (kind === 'ollama') expect(new Set(windows).size).toBe(1)
  },
)

test('what a provider had cached is on record with each step', async () => {
  const server = await startLocalServer('llama-cpp', {
    script: (_, n) => ({
      ...(n === 0 ? call('echo', { text: 'x' }) : { text: 'done' }),
      promptTokens: 4_000,
      cachedTokens: n * 3_900,
    }),
  })
  onTestFinished(() => server.close())
  const engine = await startEngine()
  const provider = { kind: server.kind, title: 'Local', baseUrl: server.baseUrl }
  const { id } = await engine.api.call('provider.save', { provider })
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const asked = { projectId: project.id, text: 'Echo', model: `${id}/test-model` }
  const { threadId } = await engine.api.call('thread.send', asked)
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  const counted = eventsOf(engine, threadId).flatMap((event) =>
    event.kind === 'model.completed' ? [[event.data.inputTokens, event.data.cachedInputTokens]] : [],
  )
  expect(counted).toEqual([
    [4_000, 0],
    [4_000, 3_900],
  ])
})
