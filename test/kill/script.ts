import type { Completion, CompletionRequest, ToolCall } from '../../core/domain/model.ts'

/** Turns of the thread that a person begins; its children have three each. */
export const turns = 44
/** Small enough that the wide turns do not fit in it, and the conversation has to be summed up. */
export const windowTokens = 4_500

const wideTurns = new Set([16, 17, 18])
const wideCalls = 90

/**
 * The model of the campaign: what it answers follows from the transcript alone, so that every life of the engine goes on with
 * the same thread. Each of its answers names its turn, and so does the summary of those that are no longer shown.
 */
export function answerTo({ messages, tools }: CompletionRequest): Completion {
  const first = messages[0]
  if (tools.length === 0) return textOf(first?.content.startsWith('Sum up') ? summaryOf(first.content) : 'pong')
  const child = messages.find(({ role, content }) => role === 'user' && content.startsWith('child '))
  const transcript = messages.map(({ content }) => content).join('\n')
  if (child !== undefined) return childTurn(child.content.slice('child '.length), lastTurn(transcript, 'cturn') + 1)
  return turnOf(lastTurn(transcript, 'turn') + 1)
}

/** The newest turn that a text names; -1 for none. */
function lastTurn(text: string, word: 'turn' | 'cturn'): number {
  return Math.max(-1, ...Array.from(text.matchAll(new RegExp(`\\b${word} (\\d+)`, 'g')), (match) => Number(match[1])))
}

function summaryOf(question: string): string {
  return `All up to turn ${lastTurn(question, 'turn')} is done.`
}

function turnOf(turn: number): Completion {
  const says = `turn ${turn}`
  const k = (name: string) => `t${turn}-${name}`
  if (turn >= turns) return textOf(`${says}: all is done`)
  if (wideTurns.has(turn)) {
    const echoes = Array.from({ length: wideCalls }, (_, n) =>
      call(`e${turn}-${n}`, 'echo', { text: `${k(`e${n}`)} of many` }),
    )
    return callsOf(says, echoes)
  }
  switch (turn % 8) {
    case 0:
      return callsOf(says, [
        touch(k('a')),
        put(k('b')),
        call(k('c'), 'calculate', { expression: '6 * 7' }),
        get(k('d')),
      ])
    case 1: {
      const written = { path: fileOf(turn), content: contentOf(turn), overwrite: true }
      return callsOf(says, [call(k('w'), 'write_file', written), get(k('r')), touch(k('a'))])
    }
    case 2:
      return codeOf(says, [
        `parallel(touch(key="${k('a')}"), ask_touch(key="${k('b')}"), put(key="${k('c')}"), return_exceptions=True)`,
        `answer = llm_query("ping ${k('q')}")`,
        attempt(`touch(key="${k('d')}")`),
      ])
    case 3: {
      const note = { title: 'log', content: k('note') }
      return callsOf(says, [touch(k('a')), call(k('n'), 'memory_write', note), touch(k('b')), put(k('c'))])
    }
    case 4:
      return textOf(`${says}: Let me check the files.`)
    case 5:
      return codeOf(says, [attempt(`rlm_query("child ${k('x')}")`), attempt(`touch(key="${k('a')}")`)])
    case 6:
      return callsOf(says, [
        call(k('a'), 'ask_touch', { key: k('a') }),
        touch(k('b')),
        call(k('c'), 'ask_touch', { key: k('c') }),
      ])
    default:
      return codeOf(says, [
        `parallel(ask_touch(key="${k('a')}"), rlm_query("child ${k('x')}"), touch(key="${k('b')}"), llm_query("ping"), return_exceptions=True)`,
        attempt(`ask_touch(key="${k('c')}")`),
      ])
  }
}

const fileOf = (turn: number) => (turn % 3 === 0 ? 'same.txt' : `f${turn}.txt`)
const contentOf = (turn: number) => `written at ${turn}\n`

/** What the project's folder holds once all is done: `same.txt` was there before. */
export function writtenFiles(): ReadonlyMap<string, string> {
  const all = Array.from({ length: turns }, (_, turn) => turn)
  const writing = all.filter((turn) => turn % 8 === 1 && !wideTurns.has(turn))
  return new Map(writing.map((turn) => [fileOf(turn), contentOf(turn)]))
}

/** A child of the code of a turn: an effect of its own, and code that asks a person. */
function childTurn(name: string, turn: number): Completion {
  const says = `cturn ${turn}`
  const k = (part: string) => `${name}-c${turn}-${part}`
  if (turn === 0) return callsOf(says, [touch(k('a')), call(k('l'), 'calculate', { expression: '6 * 7' })])
  if (turn > 1) return textOf(`${says}: the child is done`)
  return codeOf(says, [
    `parallel(ask_touch(key="${k('b')}"), put(key="${k('c')}"), return_exceptions=True)`,
    attempt(`touch(key="${k('d')}")`),
  ])
}

/** What the person says no to. */
export function isDenied(key: string): boolean {
  return /^t(6|22|38)-c$/.test(key)
}

const usage = { inputTokens: 10, outputTokens: 5 }

function textOf(text: string): Completion {
  return { text, toolCalls: [], finishReason: 'stop', usage }
}

function callsOf(text: string, toolCalls: readonly ToolCall[]): Completion {
  return { text, toolCalls, finishReason: 'tool_calls', usage }
}

function codeOf(says: string, lines: readonly string[]): Completion {
  return textOf(`${says}\n\`\`\`python\n${lines.join('\n')}\n\`\`\``)
}

/** An effect that a kill cut off is an error in the code, and the code goes on. */
function attempt(line: string): string {
  return `try:\n    ${line}\nexcept Exception:\n    pass`
}

const call = (id: string, name: string, args: ToolCallArguments): ToolCall => ({ id, name, arguments: args })
type ToolCallArguments = Extract<ToolCall, { arguments: unknown }>['arguments']
const touch = (key: string) => call(key, 'touch', { key })
const put = (key: string) => call(key, 'put', { key })
const get = (key: string) => call(key, 'get', { key })
