import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { StoredEvent } from '../../../core/domain/event.ts'
import { eventsOf, folderWith, runGoal, startEngine, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { fakeSecret } from '../domain/leaks/fake-secrets.ts'

const token = fakeSecret('{cat:gh}p_{b62:36}', 'door')
const config = `name = demo\ntoken = ${token}\n`

async function run(script: ModelScript) {
  const model = scriptedModel(script)
  const engine = await startEngine({ embedded: { scripted: model } })
  await useScriptedModel(engine)
  const folder = folderWith({ 'config.ini': config })
  const thread = await runGoal(engine, folder, 'change the name in config.ini')
  const events = eventsOf(engine, thread.id)
  return { engine, model, thread, events, config: () => fs.readFileSync(path.join(folder, 'config.ini'), 'utf8') }
}

function codesOf(events: readonly StoredEvent[]): readonly unknown[] {
  return events.flatMap((event) => (event.kind === 'action.finished' ? [event.data.code] : []))
}

describe('a file with a token in it', () => {
  const redacted = 'name = other\ntoken = [redacted: github-classic]\n'

  test('is read without it, and cannot be written back with the mark in its place', async () => {
    const {
      model,
      events,
      config: now,
    } = await run([
      { toolCalls: [scriptedCall('read_file', { path: 'config.ini' })] },
      { toolCalls: [scriptedCall('write_file', { path: 'config.ini', content: redacted })] },
      { text: 'I leave the token alone.' },
    ])
    expect(JSON.stringify(model.requests)).not.toContain(token)
    expect(JSON.stringify(model.requests[1])).toContain('[redacted: github-classic]')
    expect(codesOf(events)).toEqual([undefined, 'action.redacted'])
    expect(now()).toBe(config)
    const told = model.requests[2]?.messages.at(-1)?.content ?? ''
    expect(told).toContain('github-classic in content')
    expect(told).toContain('nothing was run')
  })

  test('can be changed around it', async () => {
    const edits = [{ find: 'name = demo', replace: 'name = other' }]
    const {
      engine,
      thread,
      config: now,
    } = await run([{ toolCalls: [scriptedCall('patch_file', { path: 'config.ini', edits })] }, { text: 'done' }])
    const { rows } = await engine.api.call('approval.list', { state: 'pending' })
    const id = rows[0]?.id ?? ''
    const asked = await engine.api.call('approval.get', { id })
    const { body } = await engine.api.call('event.body', { seq: asked.requestSeq })
    expect(JSON.stringify(body)).toContain('[redacted: github-classic]')
    await engine.api.call('approval.decide', { id, decision: 'approve' })
    await engine.threads.join([thread.id], AbortSignal.timeout(60_000))
    expect(now()).toBe(config.replace('demo', 'other'))
  })

  test('is safe from commands with the mark', async () => {
    const { events, config: now } = await run([
      { toolCalls: [scriptedCall('shell', { command: 'echo "token = [redacted: github-classic]" > config.ini' })] },
      { text: 'could not' },
    ])
    expect(codesOf(events)).toEqual(['action.redacted'])
    expect(now()).toBe(config)
  })

  test('is safe from code that reads and writes it', async () => {
    const source = [
      "text = read_file('config.ini')",
      "write_file('config.ini', str(text).replace('demo', 'other'))",
    ].join('\n')
    const { events, config: now } = await run([{ text: `\`\`\`repl\n${source}\n\`\`\`` }, { text: 'could not' }])
    expect(codesOf(events)).toEqual([undefined, 'action.redacted'])
    expect(now()).toBe(config)
  })
})

test('what was taken out, and where, is on record beside what it was taken from', async () => {
  const { events } = await run([
    { toolCalls: [scriptedCall('read_file', { path: 'config.ini' })] },
    { text: `It holds ${token}.` },
  ])
  const redactions = events.flatMap((event) => (event.kind === 'secret.redacted' ? [event.data] : []))
  expect(
    redactions.map(({ of, place, redactions: found }) => [of, place, found.map(({ what, where }) => [what, where])]),
  ).toEqual([
    ['action.finished', { step: 0, path: '1' }, [['github-classic', expect.stringMatching(/^result/)]]],
    ['model.completed', { step: 1 }, [['github-classic', 'text']]],
    ['message.added', undefined, [['github-classic', 'content']]],
  ])
  for (const { seq, of } of redactions) expect(events.find((event) => event.seq === seq)?.kind).toBe(of)
  expect(JSON.stringify(events)).not.toContain(token)
})

test('a person who sends a token finds its mark in the chat, the goal and the title', async () => {
  const model = scriptedModel([{ text: 'Thank you.' }])
  const engine = await startEngine({ embedded: { scripted: model } })
  await useScriptedModel(engine)
  const thread = await runGoal(engine, folderWith({}), `use ${token} please`)
  const said = 'use [redacted: github-classic] please'
  expect([thread.goal, thread.title]).toEqual([said, said])
  const { rows } = await engine.api.call('chat.messages', { conversationId: thread.conversationId })
  expect(rows[0]?.content).toBe(said)
  expect(model.requests[0]?.messages.at(-1)?.content).toContain(said)
})
