import { describe, expect, it } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import type { Engine } from '../../../../core/engine.ts'
import { eventsOf, folderWith, runGoal, startEngine, useScriptedModel } from '../../../support/engine.ts'
import { json, listen } from '../../../support/loopback.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../../support/scripted-model.ts'

async function engineFor(script: ModelScript, origins: readonly string[], now: () => number = Date.now) {
  const model = scriptedModel(script)
  const engine = await startEngine({
    embedded: { scripted: model },
    clock: { now, monotonic: () => performance.now() },
  })
  await useScriptedModel(engine)
  await engine.api.call('settings.set', { patch: { http: { origins: [...origins] } } })
  return { engine, model }
}

function finishedOf(engine: Engine, threadId: string) {
  return eventsOf(engine, threadId).flatMap((event) => (event.kind === 'action.finished' ? [event] : []))
}

describe('http in a thread', () => {
  it('reads a host that the person allowed without asking, and says on record what it did', async () => {
    const server = await listen((_request, response) => json(response, 200, { temperature: 21 }))
    const call = scriptedCall('http', { url: `${server.base}/now?key=1` })
    const { engine } = await engineFor([{ toolCalls: [call] }, { text: 'It is 21 °C.' }], [server.base])
    const thread = await runGoal(engine, folderWith({}), 'how warm is it?')
    expect(thread).toMatchObject({ state: 'Done', outcome: 'answered' })
    const started = eventsOf(engine, thread.id).find((event) => event.kind === 'action.started')
    expect(started?.data).toMatchObject({
      name: 'http',
      summary: `GET http://127.0.0.1:${server.port}/now`,
      policy: { verdict: 'allow', effects: ['ReadExternal'] },
    })
    expect(finishedOf(engine, thread.id)).toMatchObject([
      { data: { ok: true }, body: { result: { body: { temperature: 21 } } } },
    ])
  })

  it('asks before it changes something, shows what it would send, and sends it once it may', async () => {
    const server = await listen((_request, response) => json(response, 201, { id: 7 }))
    const call = scriptedCall('http', { method: 'POST', url: `${server.base}/issues`, json: { title: 'Broken' } })
    const { engine } = await engineFor([{ toolCalls: [call] }, { text: 'Opened as 7.' }], [server.base])
    const thread = await runGoal(engine, folderWith({}), 'open an issue')
    expect(thread.state).toBe('Waiting')
    expect(server.received).toHaveLength(0)
    const { rows } = await engine.api.call('approval.list', { state: 'pending', limit: 10 })
    const [request] = rows
    expect(request).toMatchObject({
      action: 'http',
      scopeKey: `POST 127.0.0.1:${server.port}/issues`,
      effects: ['WriteExternal'],
    })
    const event = await engine.api.call('event.body', { seq: request?.requestSeq ?? 0 })
    expect(event).toMatchObject({
      body: {
        change: {
          ...{ kind: 'request', method: 'POST', url: `${server.base}/issues`, address: null, credential: null },
          body: { type: 'application/json', text: '{"title":"Broken"}' },
        },
      },
    })
    await engine.api.call('approval.decide', { id: request?.id ?? '', decision: 'approve' })
    await engine.threads.join([thread.id], AbortSignal.timeout(60_000))
    expect(server.received).toMatchObject([{ method: 'POST', url: '/issues', body: '{"title":"Broken"}' }])
    expect(await engine.api.call('thread.get', { id: thread.id })).toMatchObject({ outcome: 'answered' })
  })

  it(`is called ${limits.httpPerMinute} times a minute, and not once more`, async () => {
    const server = await listen((_request, response) => json(response, 200, {}))
    const calls = Array.from({ length: limits.httpPerMinute + 1 }, (_, n) =>
      scriptedCall('http', { url: `${server.base}/${n}` }, `c${n}`),
    )
    const { engine } = await engineFor([{ toolCalls: calls }, { text: 'Done.' }], [server.base], () => 1_000_000)
    const thread = await runGoal(engine, folderWith({}), 'read them all')
    const ended = finishedOf(engine, thread.id)
    expect(ended.filter(({ data }) => data.ok)).toHaveLength(limits.httpPerMinute)
    expect(ended.filter(({ data }) => data.code === 'action.rate_limited')).toHaveLength(1)
    expect(server.received).toHaveLength(limits.httpPerMinute)
  })

  it(`is called ${limits.httpPerHour} times an hour, and not once more`, async () => {
    const server = await listen((_request, response) => json(response, 200, {}))
    let now = 1_000_000
    const steps = Math.ceil((limits.httpPerHour + 1) / limits.httpPerMinute)
    const script: ModelScript = (_request, n) => {
      now += 61_000
      if (n === steps) return { text: 'Done.' }
      const left = Math.min(limits.httpPerMinute, limits.httpPerHour + 1 - n * limits.httpPerMinute)
      return {
        toolCalls: Array.from({ length: left }, (_, at) =>
          scriptedCall('http', { url: `${server.base}/${n}/${at}` }, `c${at}`),
        ),
      }
    }
    const { engine } = await engineFor(script, [server.base], () => now)
    await runGoal(engine, folderWith({}), 'read them all')
    expect(server.received).toHaveLength(limits.httpPerHour)
  })

  it(`gives code ${limits.codeResultCharacters} characters, because it prints little of them`, async () => {
    // Nine characters of JSON a row; the rest of the result is small.
    const rows = (characters: number) =>
      Array.from({ length: Math.floor(characters / 9) }, (_, n) => 10_000_000 + (n % 10))
    const server = await listen((request, response) => json(response, 200, rows(Number(request.url.slice(1)))))
    const fits = limits.codeResultCharacters - 50_000
    const code = (size: number) => `\`\`\`repl\nprint(type(http(url="${server.base}/${size}")["body"]))\n\`\`\``
    const script = [{ text: code(fits) }, { text: code(limits.codeResultCharacters) }, { text: 'Done.' }]
    const { engine, model } = await engineFor(script, [server.base])
    await runGoal(engine, folderWith({}), 'count the rows')
    const said = JSON.stringify(model.requests.at(-1)?.messages)
    expect(said).toContain("<class 'list'>")
    expect(said).toContain("<class 'str'>")
  })
})
