import { createHmac } from 'node:crypto'
import http from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { definition } from '../core/missions/mission-world.ts'
import { folderWith, runGoal, startEngine, temporaryFolder } from '../support/engine.ts'

/** On a machine that does other work a moment may take long. */
const long = { timeout: 60_000 }

const event = (name: string, on: 'thread-done' | 'app-start') => definition({ name, cadence: { kind: 'event', on } })

test('a thread that a person began sets off a mission of its project, whose own thread does not', async () => {
  const engine = await startEngine({ ticks: true })
  const folder = folderWith({ 'a.txt': 'x' })
  const project = await engine.api.call('project.open', { folder })
  const mission = await engine.api.call('mission.save', {
    projectId: project.id,
    definition: event('look', 'thread-done'),
  })
  const thread = await runGoal(engine, folder, 'what is in this folder?')
  const firings = () => engine.api.call('mission.firings', { id: mission.id })
  await vi.waitFor(
    async () => expect((await firings()).map(({ endedAt }) => endedAt)).toEqual([expect.any(Number)]),
    long,
  )
  await engine.api.call('mission.tick', {})
  const [firing, ...others] = await firings()
  expect(others).toEqual([])
  expect(firing).toMatchObject({ trigger: 'event', causeDepth: 0 })
  const brief = await engine.api.call('thread.get', { id: firing?.threadId ?? '' })
  expect(brief.goal).toContain(thread.id)
})

test('a webhook is closed until a person opens it, tells its secret once, and fires with a signed delivery', async () => {
  const kept = new Map<string, string>()
  const secrets = {
    ...{ backend: 'a test', isProtected: true },
    get: async (name: string) => kept.get(name),
    set: async (name: string, value: string) => void kept.set(name, value),
    remove: async (name: string) => void kept.delete(name),
  }
  const engine = await startEngine({ ticks: true, secrets })
  const project = await engine.api.call('project.open', { folder: folderWith({ 'a.txt': 'x' }) })
  const made = definition({ name: 'hook', cadence: { kind: 'webhook' } })
  const { id } = await engine.api.call('mission.save', { projectId: project.id, definition: made })
  expect(await engine.api.call('webhook.status', {})).toEqual({ state: 'off' })
  await engine.api.call('settings.set', { patch: { webhooks: { enabled: true, port: 0 } } })
  expect(await engine.api.call('webhook.status', {})).toMatchObject({ state: 'listening' })
  const { url, secret } = await engine.api.call('webhook.renew', { id })
  expect([...kept.values()]).toEqual([secret])

  const deliver = async () => {
    const at = String(Math.floor(Date.now() / 1_000))
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(`msg_1.${at}.{"secret":"${secret}"}`).digest('base64')
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` }
    const body = `{"secret":"${secret}"}`
    const answer = await requestText(url ?? '', { headers, body })
    return answer
  }
  expect(await deliver()).toMatchObject({ status: 202 })
  expect(await deliver()).toMatchObject({ status: 200, text: expect.stringContaining('webhook.duplicate') })
  const firings = () => engine.api.call('mission.firings', { id })
  await vi.waitFor(
    async () => expect((await firings()).map(({ endedAt }) => endedAt)).toEqual([expect.any(Number)]),
    long,
  )
  // Nothing tells it again: neither an answer, nor the record, nor the brief, though the delivery held it.
  const known = [
    await engine.api.call('webhook.get', { id }),
    await engine.api.call('mission.get', { id }),
    await engine.api.call('thread.get', { id: (await firings())[0]?.threadId ?? '' }),
    engine.store.events.since(0, 10_000),
    engine.store.missions.payloadOf((await firings())[0]?.id ?? ''),
  ]
  expect(JSON.stringify(known)).not.toContain(secret.slice('whsec_'.length))
  await engine.api.call('mission.remove', { id })
  expect(kept.size).toBe(0)
  await engine.api.call('settings.set', { patch: { webhooks: { enabled: false, port: 0 } } })
  await expect(requestText(url ?? '', { headers: {}, body: '{}' })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

/** What another program of this computer sends: none of what a browser adds. */
function requestText(
  url: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const all = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers }
    const request = http.request(url, { method: 'POST', headers: all }, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode, text })
    })
    request.on('error', reject)
    request.end(body)
  })
}

test('each start of an engine that stays open sets off those that wait for it', async () => {
  const dataDir = temporaryFolder()
  const folder = folderWith({ 'a.txt': 'x' })
  const first = await startEngine({ dataDir })
  const project = await first.api.call('project.open', { folder })
  const { id } = await first.api.call('mission.save', {
    projectId: project.id,
    definition: event('greet', 'app-start'),
  })
  await first.stop('the next one starts')
  const counts: number[] = []
  for (const ticks of [true, true, false]) {
    const engine = await startEngine({ dataDir, ticks })
    onTestFinished(() => engine.stop('the test has ended'))
    if (ticks)
      await vi.waitFor(async () => {
        const rows = await engine.api.call('mission.firings', { id })
        expect(rows.length).toBeGreaterThan(counts.at(-1) ?? 0)
        expect(rows.every(({ endedAt }) => endedAt !== null)).toBe(true)
      }, long)
    counts.push((await engine.api.call('mission.firings', { id })).length)
    await engine.stop('the next one starts')
  }
  expect(counts).toEqual([1, 2, 2])
})
