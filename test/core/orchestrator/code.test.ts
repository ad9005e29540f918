import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineAction } from '../../../core/capabilities/action.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { CompletionRequest } from '../../../core/domain/model.ts'
import type { Engine, EngineOptions } from '../../../core/engine.ts'
import { effectsIn, put } from '../../support/asking.ts'
import { eventsOf, folderWith, startEngine, temporaryFolder, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedModel } from '../../support/scripted-model.ts'

const look = defineAction({
  name: 'look',
  description: 'Answers what it is asked about.',
  parameters: z.strictObject({ what: z.string(), times: z.number().default(1) }),
  effects: ['ReadLocal'],
  isIdempotent: true,
  summarize: ({ what }) => what,
  run: ({ what, times }) => {
    if (what === 'nothing') throw new Error('there is nothing to see')
    return { saw: what.repeat(times) }
  },
})
/** Nobody can take it back: it must never happen twice. */
const ring = defineAction({
  name: 'ring',
  description: 'Rings a bell.',
  parameters: z.strictObject({ bell: z.string() }),
  effects: ['WriteLocal'],
  isIdempotent: false,
  summarize: ({ bell }) => bell,
  run: ({ bell }, { folder }) => {
    fs.appendFileSync(path.join(folder, 'effects.log'), `ring ${bell}\n`)
    return 'rang'
  },
})

const code = (source: string) => ({ text: `Let me compute.\n\`\`\`repl\n${source}\n\`\`\`` })

async function run(script: ModelScript, options: Partial<EngineOptions> = {}) {
  const model = scriptedModel(script)
  const folder = folderWith({ 'a.txt': 'old' })
  const dataDir = options.dataDir ?? temporaryFolder()
  const actions = [look, ring, put]
  const open = async () => {
    const engine = await startEngine({ embedded: { scripted: model }, actions, ...options, dataDir, recover: 'resume' })
    await useScriptedModel(engine)
    return engine
  }
  const engine = await open()
  const project = await engine.api.call('project.open', { folder })
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'go' })
  const thread = await rest(engine, threadId)
  const calls = await engine.api.call('thread.calls', { id: threadId })
  return { engine, open, model, folder, thread, threadId, calls: calls.rows, output: outputOf(model.requests[1]) }
}
async function rest(engine: Engine, threadId: string) {
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  return engine.api.call('thread.get', { id: threadId })
}
function outputOf(request: CompletionRequest | undefined): string {
  return request?.messages.at(-1)?.content ?? ''
}
async function answerOf(engine: Engine, conversationId: string) {
  const { rows } = await engine.api.call('chat.messages', { conversationId })
  return rows.at(-1)?.content
}

test('fenced Python runs, calls actions as functions, and ends the thread with FINAL', async () => {
  const source = ['found = look("sea", times=2)', 'print("saw", found["saw"])', 'FINAL(found["saw"].upper())'].join(
    '\n',
  )
  const { engine, thread, model, calls } = await run([code(source)])
  expect(thread).toMatchObject({ state: 'Done', outcome: 'answered', steps: 1 })
  expect(await answerOf(engine, thread.conversationId)).toBe('SEASEA')
  expect(model.requests).toHaveLength(1)
  expect(calls.map(({ path: at, kind, name, state }) => [at, kind, name, state])).toEqual([
    ['0', 'model', 'scripted', 'done'],
    ['1', 'code', 'code', 'done'],
    ['1.1', 'action', 'look', 'done'],
  ])
})

test('without FINAL the model reads what was printed, what its calls gave and the last value', async () => {
  const { output, thread } = await run([code('print("one")\nlook("sea")\n40 + 2'), { text: 'done' }])
  expect(thread.outcome).toBe('answered')
  expect(output).toContain('[stdout]\none')
  expect(output).toContain('[look] {"saw":"sea"}')
  expect(output).toContain('[return] 42')
})

test('state goes on to the next block, and so do the results of calls', async () => {
  const { engine, thread } = await run([
    code('state["n"] = 41\nlook("sea")'),
    code('state["n"] += 1\nFINAL(str(state["n"]) + " " + previous_results["c1"]["saw"])'),
  ])
  expect(await answerOf(engine, thread.conversationId)).toBe('42 sea')
})

test('a block that fails leaves state as it was; the model reads its own line and that it was so', async () => {
  const { engine, thread, model, output } = await run([
    code('state["n"] = 1\nx = 1\nx.append(2)'),
    code('FINAL(str(state))'),
  ])
  expect(output).toContain('Line 3')
  expect(output).toContain('x.append(2)')
  expect(output).toContain('`state` is as it was')
  expect(await answerOf(engine, thread.conversationId)).toBe('{}')
  expect(model.requests).toHaveLength(2)
  const finished = eventsOf(engine, thread.id).find((event) => event.kind === 'code.finished')
  expect(finished).toMatchObject({ data: { ok: false, category: 'runtime_error' } })
})

test('an action that fails raises in the code, which may catch it', async () => {
  const source = 'try:\n    look("nothing")\nexcept RuntimeError as e:\n    FINAL("caught: " + str(e))'
  const { engine, thread } = await run([code(source)])
  expect(await answerOf(engine, thread.conversationId)).toBe('caught: there is nothing to see')
})

test('five blocks in a row that fail end the thread', async () => {
  const { thread, model } = await run((_request, n) => code(`nope_${n}()`))
  expect(thread).toMatchObject({ state: 'Failed', outcome: 'failed' })
  expect(thread.reason).toContain('code steps in a row failed')
  expect(model.requests).toHaveLength(limits.maxConsecutiveCodeErrors)
})

test('a block that prints the same again and again is told of, and ends the thread', async () => {
  const { thread, model } = await run(() => code("print(look('sky')['saw'])"))
  expect(thread).toMatchObject({
    outcome: 'failed',
    reason: `code was called ${limits.repeatsStop} times with the same arguments and the same result`,
  })
  expect(model.requests).toHaveLength(limits.repeatsStop)
  expect(model.requests[limits.repeatsNudge]?.messages.at(-1)?.content).toContain('got the same result each time')
})

test('one call over the limit of a block is refused', async () => {
  const source = `n = 0\nfor i in range(${limits.codeCalls + 1}):\n    look("x")\n    n += 1`
  const { output, calls } = await run([code(source), { text: 'ok' }])
  expect(output).toContain(`may make ${limits.codeCalls} calls`)
  expect(calls.filter(({ kind }) => kind === 'action')).toHaveLength(limits.codeCalls)
})

test('state one byte over its limit is refused and stays what it was', async () => {
  const overhead = '{"x":""}'.length
  const { output } = await run([code(`state["x"] = "a" * ${limits.codeStateBytes - overhead + 1}`), { text: 'ok' }])
  expect(output).toContain(`more than ${limits.codeStateBytes}`)
  const fits = await run([code(`state["x"] = "a" * ${limits.codeStateBytes - overhead}`), { text: 'ok' }])
  expect(fits.output).not.toContain('more than')
})

test('calls of one parallel run at once and come back in their order', async () => {
  const source = 'import asyncio\na, b = await asyncio.gather(look("sea"), look("sky"))\nFINAL(a["saw"] + b["saw"])'
  const { engine, thread, calls } = await run([code(source)])
  expect(await answerOf(engine, thread.conversationId)).toBe('seasky')
  expect(calls.filter(({ kind }) => kind === 'action').map((row) => row.path)).toEqual(['1.1.1', '1.1.2'])
})

describe('asking a person inside of code', () => {
  const source = [
    'ring("first")',
    'where = put("a.txt", "new")',
    'ring("second")',
    'FINAL(where + " " + str(look("sea")["saw"]))',
  ].join('\n')

  test('it goes on at that very line, in another process: nothing before it runs again', async () => {
    const { engine, open, folder, thread, threadId, model } = await run([code(source)])
    expect(thread).toMatchObject({ state: 'Waiting', reason: 'waits for your approval of put a.txt' })
    expect(effectsIn(folder)).toEqual(['ring first'])
    await engine.stop('quit')
    const later = await open()
    const [approval] = (await later.api.call('approval.list', { state: 'pending' })).rows
    expect(approval).toMatchObject({ path: '1.2', action: 'put' })
    await later.api.call('approval.decide', { id: approval?.id ?? '', decision: 'approve' })
    expect(await rest(later, threadId)).toMatchObject({ outcome: 'answered' })
    expect(effectsIn(folder)).toEqual(['ring first', 'put a.txt', 'ring second'])
    expect(await answerOf(later, thread.conversationId)).toBe('written sea')
    expect(model.requests).toHaveLength(1)
    const { rows } = await later.api.call('thread.calls', { id: threadId })
    expect(rows.map(({ path: at, state }) => [at, state])).toEqual([
      ...[
        ['0', 'done'],
        ['1', 'done'],
        ['1.1', 'done'],
        ['1.2', 'done'],
        ['1.3', 'done'],
        ['1.4', 'done'],
      ],
    ])
  })

  test('a denial raises, and the code may go on without it', async () => {
    const kind = `try:\n    put("a.txt", "new")\nexcept RuntimeError as e:\n    FINAL(str(e))`
    const { engine, thread, threadId, folder } = await run([code(kind)])
    const [approval] = (await engine.api.call('approval.list', { state: 'pending' })).rows
    await engine.api.call('approval.decide', { id: approval?.id ?? '', decision: 'deny', reason: 'not now' })
    await rest(engine, threadId)
    expect(await answerOf(engine, thread.conversationId)).toContain('the user said no: not now')
    expect(effectsIn(folder)).toEqual([])
  })

  test('two that ask in one parallel batch, decided in any order', async () => {
    const both =
      'r = parallel(put("a.txt", "1"), put("b.txt", "2"), look("sea"))\nFINAL(str(len(r)) + str(r[2]["saw"]))'
    const { engine, thread, threadId, folder } = await run([code(both)])
    const asked = (await engine.api.call('approval.list', { state: 'pending' })).rows
    expect(asked.map((approval) => approval.path)).toEqual(['1.1.1', '1.1.2'])
    await engine.api.call('approval.decide', { id: asked[1]?.id ?? '', decision: 'approve' })
    expect(await rest(engine, threadId)).toMatchObject({ state: 'Waiting' })
    await engine.api.call('approval.decide', { id: asked[0]?.id ?? '', decision: 'approve' })
    await rest(engine, threadId)
    expect(await answerOf(engine, thread.conversationId)).toBe('3sea')
    expect(effectsIn(folder)).toEqual(['put b.txt', 'put a.txt'])
  })
})

describe('models inside of code', () => {
  test('a batch of queries one over the limit is refused, one at the limit is not', async () => {
    const batch = (count: number) => code(`print(len(llm_query_batched(["q"] * ${count})))`)
    const answers: ModelScript = (request, n) =>
      n === 0
        ? batch(limits.codeBatch + 1)
        : n === 1
          ? batch(limits.codeBatch)
          : { text: request.messages.length > 2 ? 'done' : 'a' }
    const { model } = await run(answers)
    expect(outputOf(model.requests[1])).toContain(`at most ${limits.codeBatch} prompts`)
    expect(outputOf(model.requests.at(-1))).toContain(`[stdout]\n${limits.codeBatch}`)
  })

  test('a child has fewer steps than its parent', async () => {
    const script: ModelScript = (request, n) => {
      const asked = request.messages.findLast((message) => message.role === 'user')?.content
      if (asked === 'go') return code('try:\n    rlm_query("look")\nexcept RuntimeError as e:\n    FINAL(str(e))')
      return { toolCalls: [{ id: `c${n}`, name: 'look', arguments: { what: `${n}` } }] }
    }
    const { engine, threadId } = await run(script)
    const [child] = await engine.api.call('thread.children', { id: threadId })
    expect(child).toMatchObject({ outcome: 'maxSteps', steps: limits.childSteps, maxSteps: limits.childSteps })
  })

  test('llm_query asks the model beside the conversation; a batch answers in order', async () => {
    const source =
      'one = llm_query("colour?", context="of the sea")\nmany = llm_query_batched(["a", "b"])\nFINAL(one + "|" + "|".join(many))'
    const script: ModelScript = (request, n) => {
      if (n === 0) return code(source)
      const asked = request.messages.at(-1)?.content ?? ''
      return { text: asked.startsWith('colour?') ? 'blue' : `<${asked}>` }
    }
    const { engine, thread, calls, model } = await run(script)
    expect(await answerOf(engine, thread.conversationId)).toBe('blue|<a>|<b>')
    expect(calls.filter(({ kind }) => kind === 'query').map((row) => row.path)).toEqual(['1.1', '1.2.1', '1.2.2'])
    expect(model.requests[1]?.messages).toEqual([{ role: 'user', content: 'colour?\n\nof the sea' }])
    expect(thread.inputTokens).toBe(40)
  })

  test('rlm_query is a child thread with its own steps, in the parent’s slot, on the tier below', async () => {
    const script: ModelScript = (request) => {
      const asked = request.messages.findLast((message) => message.role === 'user')?.content
      return asked === 'go' ? code('FINAL("child says " + rlm_query("count the gulls"))') : { text: 'seven' }
    }
    const { engine, thread, threadId, calls } = await run(script)
    expect(await answerOf(engine, thread.conversationId)).toBe('child says seven')
    const [child] = await engine.api.call('thread.children', { id: threadId })
    expect(child).toMatchObject({ parentId: threadId, rootId: threadId, depth: 1, tier: 'minuet', outcome: 'answered' })
    expect(calls.find(({ kind }) => kind === 'child')).toMatchObject({ childId: child?.id, state: 'done' })
    const { rows } = await engine.api.call('chat.messages', { conversationId: thread.conversationId })
    expect(rows.map((message) => message.content)).toEqual(['go', 'child says seven'])
  })

  test('a child goes only so deep', async () => {
    const script: ModelScript = (request) => {
      const asked = request.messages.findLast((message) => message.role === 'user')?.content ?? ''
      if (asked === 'go') return code('FINAL(rlm_query("deeper"))')
      return code('try:\n    rlm_query("deepest")\nexcept RuntimeError as e:\n    FINAL(str(e))')
    }
    const { engine, thread } = await run(script)
    expect(await answerOf(engine, thread.conversationId)).toContain(`goes ${limits.maxDepth} deep`)
  })

  test('a child that waits for a person lets its parent wait, and wakes it when it ends', async () => {
    const script: ModelScript = (request) => {
      const asked = request.messages.findLast((message) => message.role === 'user')?.content
      return asked === 'go'
        ? code('ring("before")\nsaid = rlm_query("write it")\nring("after")\nFINAL(said)')
        : code('put("a.txt", "by the child")\nFINAL("child done")')
    }
    const { engine, open, folder, thread, threadId } = await run(script)
    expect(thread).toMatchObject({ state: 'Waiting' })
    expect(thread.reason).toContain('waits for your approval of put a.txt')
    expect(await engine.api.call('engine.info', {})).toMatchObject({ slots: { used: 0 } })
    await engine.stop('quit')
    const later = await open()
    const [approval] = (await later.api.call('approval.list', { state: 'pending' })).rows
    expect(approval?.threadId).not.toBe(threadId)
    await later.api.call('approval.decide', { id: approval?.id ?? '', decision: 'approve' })
    await rest(later, approval?.threadId ?? '')
    expect(await rest(later, threadId)).toMatchObject({ state: 'Done', outcome: 'answered' })
    expect(effectsIn(folder)).toEqual(['ring before', 'put a.txt', 'ring after'])
    expect(await answerOf(later, thread.conversationId)).toBe('child done')
  })

  test('stopping a parent that waits for a child that waits stops both, and asks nobody any more', async () => {
    const script: ModelScript = (request) => {
      const asked = request.messages.findLast((message) => message.role === 'user')?.content
      return asked === 'go' ? code('FINAL(rlm_query("write it"))') : code('put("a.txt", "by the child")')
    }
    const { engine, threadId, model } = await run(script)
    expect(await engine.api.call('thread.stop', { id: threadId })).toMatchObject({ state: 'Done', outcome: 'stopped' })
    const [child] = await engine.api.call('thread.children', { id: threadId })
    expect(child).toMatchObject({ state: 'Done', outcome: 'stopped' })
    expect((await engine.api.call('approval.list', { state: 'pending' })).rows).toEqual([])
    expect(model.requests).toHaveLength(2)
    await expect(engine.api.call('thread.retry', { id: child?.id ?? '' })).rejects.toMatchObject({
      code: 'thread.transition',
    })
  })

  test('two threads in rlm_query with two slots: both end', async () => {
    const script: ModelScript = (request) => {
      const asked = request.messages.findLast((message) => message.role === 'user')?.content ?? ''
      return asked.startsWith('go') ? code('FINAL(rlm_query("think"))') : { text: 'thought' }
    }
    const { engine, thread } = await run(script)
    const sent = await Promise.all(
      ['go 1', 'go 2', 'go 3'].map((text) => engine.api.call('thread.send', { projectId: thread.projectId, text })),
    )
    const ids = sent.map(({ threadId }) => threadId)
    expect(await engine.threads.join(ids, AbortSignal.timeout(60_000))).toEqual(['answered', 'answered', 'answered'])
    expect(limits.slots).toBe(2)
  })

  test('stopping the parent stops its child', async () => {
    const script: ModelScript = (request) => {
      const asked = request.messages.findLast((message) => message.role === 'user')?.content
      return asked === 'go' ? code('FINAL(rlm_query("think"))') : new Promise(() => undefined)
    }
    const model = scriptedModel(script)
    const engine = await startEngine({ embedded: { scripted: model }, actions: [look] })
    await useScriptedModel(engine)
    const project = await engine.api.call('project.open', { folder: folderWith({}) })
    const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'go' })
    await expect.poll(() => model.requests.length).toBe(2)
    await engine.api.call('thread.stop', { id: threadId })
    const [child] = await engine.api.call('thread.children', { id: threadId })
    expect(child).toMatchObject({ state: 'Done', outcome: 'stopped' })
    expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({ outcome: 'stopped' })
  })
})

test('a planner’s answer that quotes code is an answer', async () => {
  const folder = folderWith({ 'notes.md': '# Notes\n\n```python\nprint("hello")\n```\n' })
  const engine = await startEngine()
  const project = await engine.api.call('project.open', { folder })
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'Show notes.md' })
  const thread = await rest(engine, threadId)
  expect(thread.outcome).toBe('answered')
  expect(eventsOf(engine, threadId).some((event) => event.kind === 'code.started')).toBe(false)
})

describe('what else code may write', () => {
  test('results that together are too large for the program raise in it', async () => {
    const source = `parallel(${Array.from({ length: 20 }, (_, n) => `look("${n % 10}", times=59000)`).join(', ')})`
    const { thread, output } = await run([code(source), { text: 'took less' }])
    expect(thread).toMatchObject({ outcome: 'answered' })
    expect(output).toContain('[error]')
  })

  test('after a wait the model reads what queries gave before it, and the next block finds it', async () => {
    const source = 'blue = llm_query("colour?")\nmany = llm_query_batched(["a", "b"])\nput("a.txt", "new")'
    const script: ModelScript = (request, n) => {
      if (n === 0) return code(source)
      const asked = request.messages.at(-1)?.content ?? ''
      if (request.messages.length === 1) return { text: `<${asked}>` }
      return asked.includes('[put]') ? code('FINAL(previous_results["c1"])') : { text: 'no' }
    }
    const { engine, open, threadId, thread, model } = await run(script)
    expect(thread.state).toBe('Waiting')
    await engine.stop('quit')
    const later = await open()
    const [approval] = (await later.api.call('approval.list', { state: 'pending' })).rows
    await later.api.call('approval.decide', { id: approval?.id ?? '', decision: 'approve' })
    const ended = await rest(later, threadId)
    expect(outputOf(model.requests[4])).toContain('[llm_query] <colour?>')
    expect(outputOf(model.requests[4])).toContain('[llm_query_batched] ["<a>","<b>"]')
    expect(await answerOf(later, ended.conversationId)).toBe('<colour?>')
  })
})
