import { afterAll, describe, expect, test } from 'vitest'
import { callsOf } from '../../../../core/learning/miner/canonical.ts'
import type { Episode, KnownProgram, Mined, Skip } from '../../../../core/learning/miner/miner.ts'
import { replay } from '../../../../core/learning/miner/replay.ts'
import { prepareSnippet } from '../../../../core/orchestrator/code/snippets.ts'
import { type Asked, got, listFiles, readFile, searchFiles, sent, wrote } from './recorder.ts'
import { hostActions, minerForTests, sandboxForTests } from './sandbox.ts'
import { episode, orderThread, orderThreads, stockThreads } from './worked.ts'

const sandbox = sandboxForTests()
afterAll(() => sandbox.close())
const miner = minerForTests(sandbox)

async function mine(threads: readonly Episode[], known: readonly KnownProgram[] = []): Promise<Mined | Skip> {
  const [thread, ...kept] = [...threads].reverse()
  if (thread === undefined) throw new Error('no thread')
  return miner.mine({ thread, kept, known })
}

async function minedOf(threads: readonly Episode[], known: readonly KnownProgram[] = []): Promise<Mined> {
  const found = await mine(threads, known)
  if (found.kind === 'skip') throw new Error(`${found.reason}: ${found.detail}`)
  return found
}

const knownFrom = (
  { name, fingerprint, sequence, support, activation }: Mined,
  state: KnownProgram['state'] = 'live',
): KnownProgram => ({
  ...{ skill: name, fingerprint, sequence, support, activation, state },
})

describe('three threads that do the same', () => {
  test('become one function: data flow, parameters, guards, and what the answers say', async () => {
    const { snippet, parameters, isComplete, endsBefore, trials } = await minedOf(stockThreads().slice(0, 3))
    expect(snippet.code).toBe(
      [
        'def get_prices(*, name, site):',
        '    n1 = read_file(path="API.md")',
        `    if n1["text"] != ${JSON.stringify(readTextOf(stockThreads()))}:`,
        '        raise ValueError("skill guard: n1.text has changed")',
        '    if n1["complete"] != True:',
        '        raise ValueError("skill guard: n1.complete is not true")',
        '    n2 = http(method="GET", url="http://127.0.0.1:4870/shop/products", query={"name": name})',
        '    if n2["status"] != 200:',
        '        raise ValueError("skill guard: n2.status is not 200")',
        '    if not n2["body"]["products"]:',
        '        raise ValueError("skill guard: nothing was found")',
        '    n3 = http(method="GET", url="http://127.0.0.1:4870/shop/stock/" + n2["body"]["products"][0]["sku"], query={"site": site})',
        '    if n3["status"] != 200:',
        '        raise ValueError("skill guard: n3.status is not 200")',
        '    n4 = http(method="GET", url="http://127.0.0.1:4870/shop/prices/" + n2["body"]["products"][0]["sku"])',
        '    if n4["status"] != 200:',
        '        raise ValueError("skill guard: n4.status is not 200")',
        '    if n4["body"]["currency"] != "EUR":',
        '        raise ValueError("skill guard: n4.body.currency is not EUR")',
        '    if not n3["body"]["stock"]:',
        '        raise ValueError("skill guard: nothing was found")',
        '    n5 = calculate(expression=str(n3["body"]["stock"][0]["quantity"]) + " * " + str(n4["body"]["price"]))',
        '    return {"answer": "It is worth " + str(n5["value"]) + ".", "result": n5["result"], "value": n5["value"]}',
        '',
      ].join('\n'),
    )
    expect(parameters.map(({ name, examples }) => [name, examples])).toEqual([
      ['name', ['Cork Board', 'Felt Mat', 'Wool Rug']],
      ['site', ['Porto', 'Turku', 'Graz']],
    ])
    expect({ isComplete, endsBefore }).toEqual({ isComplete: true, endsBefore: null })
    expect(trials.replays.map(({ kind, calls }) => [kind, calls])).toEqual([
      ['same', 5],
      ['same', 5],
      ['same', 5],
    ])
  })

  test('the sandbox takes it as a function of a skill, which hides none of the host', async () => {
    const { snippet } = await minedOf(stockThreads())
    const known = ['http', 'read_file', 'calculate']
    expect(prepareSnippet({ skill: 'mined', version: 1, ...snippet }, known)).toMatchObject({ names: [snippet.name] })
  })

  test('each line, parameter and keyword names where it comes from', async () => {
    const threads = stockThreads()
    const { evidence, parameters, activation } = await minedOf(threads)
    const ids = threads.map(({ threadId }) => threadId)
    for (const { calls } of evidence.lines) expect(new Set(calls.map(({ threadId }) => threadId))).toEqual(new Set(ids))
    expect(evidence.lines.find(({ text }) => text.includes('n4 = '))?.calls[0]).toEqual({
      threadId: 'stock 3',
      stepId: 's4',
      callId: 's4.1',
    })
    expect(evidence.parameters.map(({ name }) => name)).toEqual(parameters.map(({ name }) => name))
    expect(evidence.keywords.map(({ keyword }) => keyword)).toEqual(activation.keywords)
    for (const { threadIds } of evidence.keywords) expect(threadIds.length).toBeGreaterThanOrEqual(2)
    expect(evidence.ambiguous.map(({ node, argument }) => `${node}.${argument}`)).toContain('n4.url')
  })

  test('two are too few', async () => {
    expect(await mine(stockThreads().slice(0, 2))).toMatchObject({ kind: 'skip', reason: 'support' })
  })

  test('threads that used a skill, ended badly or were given a secret are no support', async () => {
    const [first, second, third] = stockThreads()
    if (first === undefined || second === undefined || third === undefined) throw new Error('three threads')
    const bySkill = {
      ...third,
      steps: third.steps.map((step) => ({
        ...step,
        calls: step.calls.map((call) => ({ ...call, viaSkill: 'stock' })),
      })),
    }
    expect(await mine([first, second, bySkill])).toMatchObject({ reason: 'support' })
    expect(await mine([first, bySkill, second])).toMatchObject({ reason: 'support' })
    for (const outcome of ['failure', 'stopped', 'environment'] as const) {
      expect(await mine([first, second, { ...third, outcome }])).toMatchObject({ reason: 'support' })
    }
    const secret = {
      ...third,
      steps: [
        ...third.steps,
        { stepId: 's9', calls: [{ ...callIn(third), args: { path: '[redacted: openai-key]' } }] },
      ],
    }
    expect(await mine([first, second, secret])).toMatchObject({ reason: 'unexplained' })
  })
})

function readTextOf([thread]: readonly Episode[]): unknown {
  const result = thread?.steps[0]?.calls[0]?.result
  return typeof result === 'object' && result !== null && 'text' in result ? result.text : null
}

function callIn({ steps }: Episode) {
  const call = steps[0]?.calls[0]
  if (call === undefined) throw new Error('no call')
  return call
}

describe('work that looks alike', () => {
  test('a guard stops it before the write where the order is another one', async () => {
    const { snippet, parameters } = await minedOf(orderThreads())
    expect(parameters).toMatchObject([{ name: 'order', pattern: '\\b(A-\\d{4})\\b' }])
    const others = [
      { id: 'A-2151', total: 12, status: 'shipped', done: 'returns' as const },
      { id: 'A-2192', total: 77, payment: 'gift_card' },
    ]
    for (const [at, other] of others.entries()) {
      const expected = callsOf(orderThread(at, other))
      const ran = await replay({ ...snippet, args: { order: other.id }, expected }, sandbox)
      expect(ran).toMatchObject({ kind: 'guard', calls: 2, hasWritten: false })
    }
    const same = callsOf(orderThread(1, { id: 'A-2336', total: 5.5 }))
    expect(await replay({ ...snippet, args: { order: 'A-2336' }, expected: same }, sandbox)).toMatchObject({
      kind: 'same',
      hasWritten: true,
    })
  })

  const returned = [0, 1, 2].map((at) => orderThread(at, { id: `A-30${at}0`, total: 10 + at, done: 'returns' }))
  const late = (thread: Episode, at: number) => ({ ...thread, threadId: `early ${at}` })

  test('nothing is proposed where the same was read and something else was done', async () => {
    const weather = Array.from({ length: 9 }, (_, at) =>
      episode(`weather ${at}`, `Tell me of the weather in week ${at}`, [[readFile(`w${at}.txt`, 'rain')]]),
    )
    const [refunded] = orderThreads()
    if (refunded === undefined) throw new Error('one thread')
    expect(await mine([...weather, late(refunded, 0), ...returned])).toMatchObject({
      kind: 'skip',
      reason: 'inconsistent',
    })
    expect(await mine([...weather, ...returned])).toMatchObject({ kind: 'mined' })
  })

  test('nor where no word tells the one from the other', async () => {
    expect(await mine([...orderThreads().map(late), ...returned])).toMatchObject({ kind: 'skip', reason: 'activation' })
  })

  test('a write that others can see needs something that was compared before it', async () => {
    const threads = [0, 1, 2].map((at) => {
      const key = `K-${10 + at}`
      const look = { action: 'lookup', args: { key }, result: { number: 7 + at, size: 100 * at } }
      return episode(`bare ${at}`, `Ring ${key} up ${['now', 'soon', 'later'][at]}`, [
        [look],
        [listFiles('a', [])],
        [sent('POST', 'https://a.example/ring', { number: 7 + at })],
      ])
    })
    const without = threads.map((thread) => ({
      ...thread,
      steps: thread.steps.filter(({ stepId }) => stepId !== 's2'),
    }))
    expect(await mine(without)).toMatchObject({ reason: 'unsafe-write' })
  })
})

describe('a write in the project', () => {
  // Nothing that is read is one and the same, so nothing is compared.
  const bare = (at: number, name: string, write: Asked) =>
    episode(`bare ${at}`, `Tidy the ${['red', 'blue', 'green'][at]} shelf of ${name} in the attic`, [
      [{ action: 'lookup', args: { name }, result: { size: 10 + at, code: `c${at}${at}` } }],
      [{ action: 'weigh', args: { code: `c${at}${at}` }, result: { grams: 700 + 13 * at } }],
      [write],
    ])
  const compared = (at: number, name: string, write: Asked) => {
    const thread = bare(at, name, write)
    const look = {
      callId: 'x',
      action: 'inspect',
      args: { name },
      ok: true,
      viaSkill: null,
      effects: ['ReadLocal' as const],
    }
    const step = { stepId: 's0', calls: [{ ...look, result: { state: 'dusty' } }] }
    return { ...thread, steps: [step, ...thread.steps] }
  }
  const names = ['maple', 'hazel', 'aspen']
  const replacing = (name: string, at: number) => ({ ...wrote(`${name}.txt`, `${700 + 13 * at}`) })

  test.each<[string, (name: string, at: number) => Asked]>([
    ['a file is deleted', (name) => ({ action: 'delete', args: { path: `${name}.txt` }, result: { deleted: true } })],
    [
      'a file is moved',
      (name) => ({ action: 'move', args: { from: `${name}.txt`, to: `old/${name}.txt` }, result: { replaced: false } }),
    ],
    [
      'a file may be replaced',
      (name, at) => {
        const { args, ...rest } = replacing(name, at)
        return { ...rest, args: { ...args, overwrite: true } }
      },
    ],
    [
      'a file was replaced',
      (name, at) => ({ ...replacing(name, at), result: { path: `${name}.txt`, bytes: 3, outcome: 'replaced' } }),
    ],
    [
      'it is of an action that nothing is known of',
      (name, at) => ({ action: 'label', args: { name, grams: 700 + 13 * at }, result: { done: `${at}` } }),
    ],
  ])('needs something that was compared before it where %s', async (_, write) => {
    const written = (each: Episode): Episode => ({
      ...each,
      steps: each.steps.map((step) => ({
        ...step,
        calls: step.calls.map((call) => (step.stepId === 's3' ? { ...call, effects: ['WriteLocal' as const] } : call)),
      })),
    })
    const without = names.map((name, at) => written(bare(at, name, write(name, at))))
    expect(await mine(without)).toMatchObject({ reason: 'unsafe-write', detail: 'n3 is not guarded' })
    const withGuard = names.map((name, at) => written(compared(at, name, write(name, at))))
    expect((await minedOf(withGuard)).snippet.code).toContain('n1.state is not dusty')
  })

  test('needs none where a file is made that was not there', async () => {
    const threads = names.map((name, at) => bare(at, name, replacing(name, at)))
    expect((await minedOf(threads)).snippet.code).toContain('write_file(')
  })
})

describe('what the function gives back', () => {
  test('is not the whole answer where all answers were one and the same', async () => {
    const same = stockThreads().map((each) => ({ ...each, answer: 'All is well with Wool Rug.' }))
    const { isComplete, snippet } = await minedOf(same)
    expect(isComplete).toBe(false)
    expect(snippet.code).not.toContain('All is well')
    expect(snippet.code).toContain('return {"last": n5}')
  })
})

describe('what cannot be explained', () => {
  const read = (at: number) => {
    const [name, other] = [['alfa', 'beta', 'gamma'][at] ?? '', `b${at}.txt`]
    return [
      [listFiles(`logs/${name}`, [other])],
      [readFile(`logs/${name}/${other}`, `from ${name} of ${at}\n`)],
      [readFile('STYLE.md', 'short sentences, and none of them long\n')],
    ]
  }
  const prose = ['all is well', 'nothing new under the sun', 'we decided to wait']

  test('reading that comes before it may still be a function; the write stays with the model', async () => {
    const threads = [0, 1, 2].map((at) =>
      episode(`log ${at}`, `Sum up the log of ${['alfa', 'beta', 'gamma'][at]} in sums/${at}x.md`, [
        ...read(at),
        [wrote(`sums/${at}x.md`, prose[at] ?? '')],
      ]),
    )
    const { endsBefore, isComplete, snippet } = await minedOf(threads)
    expect({ endsBefore, isComplete }).toEqual({ endsBefore: 'n4.write_file.content', isComplete: false })
    expect(snippet.code).not.toContain('write_file')
  })

  test('after a write nothing is proposed at all', async () => {
    const threads = [0, 1, 2].map((at) =>
      episode(`log ${at}`, `Move the log of ${['alfa', 'beta', 'gamma'][at]} in place ${at}`, [
        ...read(at),
        [wrote('done.txt', 'begun\n')],
        [wrote('sum.md', prose[at] ?? '')],
      ]),
    )
    expect(await mine(threads)).toEqual({ kind: 'skip', reason: 'unexplained', detail: 'n5.write_file.content' })
  })
})

describe('what is known already', () => {
  test('is not proposed again', async () => {
    const mined = await minedOf(orderThreads())
    expect(await mine(orderThreads(), [knownFrom(mined)])).toEqual({
      kind: 'skip',
      reason: 'duplicate',
      detail: mined.name,
    })
  })

  test('what was rejected stays so until twice as many threads did it', async () => {
    const mined = await minedOf(orderThreads())
    const more = (count: number) => [
      ...orderThreads(),
      ...Array.from({ length: count }, (_, at) => orderThread(3 + at, { id: `A-31${at}7`, total: 9.5 + at })),
    ]
    expect(await mine(more(2), [knownFrom(mined, 'rejected')])).toMatchObject({ reason: 'rejected' })
    expect(await mine(more(3), [knownFrom(mined, 'rejected')])).toMatchObject({ kind: 'mined', support: { length: 6 } })
  })

  test('the same work with another guard is the next version of it, once three more threads say so', async () => {
    const before = await minedOf(orderThreads())
    const late = [0, 1, 2].map((at) => orderThread(at + 3, { id: `A-41${at}7`, total: 60 + at, payment: 'transfer' }))
    expect(await mine([...orderThreads(), ...late.slice(0, 2)], [knownFrom(before)])).toMatchObject({
      reason: 'duplicate',
    })
    const after = await minedOf([...orderThreads(), ...late], [knownFrom(before)])
    expect(after).toMatchObject({ name: before.name, updates: before.name })
    expect(before.snippet.code).toContain('payment is not card')
    expect(after.snippet.code).not.toContain('payment is not')
  })

  test('goals that it is not offered for give it new words, now and then', async () => {
    const before = await minedOf(stockThreads().slice(0, 3))
    const deaf = { ...knownFrom(before), activation: { keywords: ['nothing'], patterns: [], excludeKeywords: [] } }
    const more = [
      ...stockThreads(),
      {
        ...(stockThreads()[0] ?? orderThread(0, { id: '', total: 0 })),
        threadId: 'stock 9',
        goal: 'Stock of Wool Rug in Graz, worth at list price?',
      },
    ]
    expect(await mine(more.slice(0, 4), [deaf])).toMatchObject({ reason: 'duplicate' })
    expect(await mine(more, [deaf])).toMatchObject({
      kind: 'mined',
      updates: before.name,
      fingerprint: before.fingerprint,
    })
  })

  test('another skill of the same name gets a number', async () => {
    const mined = await minedOf(orderThreads())
    const other = { ...knownFrom(mined), fingerprint: 'x', sequence: ['something else'] }
    expect(await mine(orderThreads(), [other])).toMatchObject({ name: `${mined.name}-2`, updates: null })
  })
})

test('a request that was answered "later" is made again, a few times', async () => {
  const threads = [0, 1, 2].map((at) => {
    const asked = got(`https://a.example/items/K-${at}1`, {}, { state: 'open', rank: 5 + at })
    const later = { ...asked, result: { status: 429, headers: {}, body: {} } }
    const close = sent('PATCH', `https://a.example/items/K-${at}1`, { rank: 5 + at })
    return episode(`busy ${at}`, `Rank item K-${at}1 ${['again', 'anew', 'afresh'][at]}, as the list has it`, [
      [readFile('RULES.md', 'Ask once more when it is busy.\n')],
      [later],
      [asked],
      [close],
    ])
  })
  const { snippet } = await minedOf(threads)
  const [thread] = threads
  const calls = thread === undefined ? [] : callsOf(thread)
  const [rules, item, change] = calls
  if (rules === undefined || item === undefined || change === undefined) throw new Error('three calls')
  const again = { ...item, result: { status: 503, headers: {}, body: {} } }
  const ran = await replay(
    { ...snippet, args: { item: 'K-01' }, expected: [rules, again, again, item, change] },
    sandbox,
  )
  expect(ran).toMatchObject({ kind: 'same', calls: 5 })
})

test('a function is called otherwise than any action: by that name it would call itself', async () => {
  const digests = (folder: string) =>
    ['alpha', 'beta', 'gamma'].map((name, at) =>
      episode(
        `digest ${at}`,
        `Write the digest of ${name} from its notes, run ${at}`,
        [
          [readFile(`${name}.md`, `Owner: o${at}x\nTopic: tt${at}y`)],
          [
            searchFiles(
              `tt${at}y`,
              '.',
              Array.from({ length: at + 1 }, () => [`${name}.md`, 'x'] as const),
            ),
          ],
          [wrote(`${folder}${name}.out`, `Topic tt${at}y by o${at}x`)],
        ],
        `Wrote ${at + 1} lines.`,
      ),
    )
  for (const [folder, expected] of [['', 'do_write_file'] as const, ['out/', 'write_out'] as const]) {
    const { snippet, name } = await minedOf(digests(folder))
    expect([snippet.name, name]).toEqual([expected, expected.replaceAll('_', '-')])
    expect(prepareSnippet({ skill: 'mined', version: 1, ...snippet }, hostActions)).toMatchObject({ names: [expected] })
  }
  // An action that the program does not call itself is no name either.
  const lists = ['alpha', 'beta', 'gamma'].map((name, at) =>
    episode(`list ${at}`, `Weigh the cargo of ${name} by its notes`, [
      [listFiles(`home/${name}`, ['x.md'])],
      [{ action: 'list_notes', args: { path: `files/${name}` }, result: { size: at + 4, of: name } }],
      [{ action: 'list_notes', args: { path: `files/${name}`, size: at + 4 }, result: { size: at + 9 } }],
    ]),
  )
  expect((await minedOf(lists)).snippet.name).toBe('do_list_files')
})
