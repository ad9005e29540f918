import type { Completion, FinishReason, ModelDelta, ProviderMetadata, ToolCall, Usage } from '../domain/model.ts'
import { createThinkSplitter } from './thinking.ts'
import { finishedCall, isWholeJson } from './tool-arguments.ts'

/** One piece of a call as it came. Servers leave out any part of it. */
export interface CallDelta {
  readonly index: number | null
  readonly id: string
  readonly name: string
  /** Text to append, an object to take as it is, or nothing. Kept unknown: a strange value must not turn into `{}`. */
  readonly arguments: unknown
}

/** Builds one Completion from the pieces of a stream. */
export interface Accumulator {
  readonly text: (text: string) => void
  readonly reasoning: (text: string) => void
  readonly call: (delta: CallDelta) => void
  /** What a provider wants back with a call; of a call that is not known by this id, nothing is kept. */
  readonly annotate: (id: string, metadata: ProviderMetadata) => void
  readonly usage: (usage: Usage) => void
  /** The first reason counts: some servers send a second, wrong one. */
  readonly finish: (reason: string) => void
  /** The answer's own end mark (`[DONE]`, `done: true`). */
  readonly endMark: () => void
  /** A finish reason or an end mark was seen: a connection that is lost now takes nothing away from the answer. */
  readonly isFinished: () => boolean
  readonly hasEndMark: () => boolean
  readonly hasDelta: () => boolean
  /** What was shown so far; a piece that may be a tag is not in it. */
  readonly partialText: () => string
  /** Null when the stream stopped in the middle of the answer. */
  readonly completion: () => Completion | null
}

export interface AccumulatorOptions {
  readonly onDelta: (delta: ModelDelta) => void
  /** Fresh on each call. */
  readonly newId: () => string
}

interface OpenCall {
  readonly index: number | null
  id: string
  name: string
  raw: string
  providerMetadata?: ProviderMetadata
}

export function createAccumulator(options: AccumulatorOptions): Accumulator {
  const calls: OpenCall[] = []
  let text = ''
  let reasoning = ''
  let usage: Usage | undefined
  let reason: string | undefined
  let hasEndMark = false
  let hasDelta = false
  const send = (delta: ModelDelta) => {
    hasDelta = true
    options.onDelta(delta)
  }
  const think = (piece: string) => {
    reasoning += piece
    send({ kind: 'reasoning', text: piece })
  }
  const splitter = createThinkSplitter((kind, piece) => {
    if (kind === 'reasoning') return think(piece)
    text += piece
    send({ kind: 'text', text: piece })
  })

  return {
    text: splitter.push,
    reasoning: (piece) => {
      if (piece !== '') think(piece)
    },
    call(delta) {
      const call = callOf(calls, delta)
      if (call.id === '') call.id = delta.id
      if (call.name === '' && delta.name !== '') {
        call.name = delta.name
        send({ kind: 'call', name: call.name })
      }
      call.raw = appended(call.raw, delta.arguments)
    },
    annotate(id, metadata) {
      const call = calls.findLast((each) => each.id === id)
      if (call !== undefined) call.providerMetadata = metadata
    },
    usage: (sent) => {
      usage = sent
    },
    finish: (given) => {
      if (given !== '') reason ??= given
    },
    endMark: () => {
      hasEndMark = true
    },
    isFinished: () => hasEndMark || (reason !== undefined && !brokenReasons.has(reason)),
    hasEndMark: () => hasEndMark,
    hasDelta: () => hasDelta,
    partialText: () => text,
    completion() {
      if (reason === undefined ? !hasEndMark : brokenReasons.has(reason)) return null
      splitter.flush()
      const finishReason = finishReasonOf(reason, calls.length > 0)
      const isCut = finishReason === 'length' || finishReason === 'content_filter'
      return {
        text,
        ...(reasoning !== '' && { reasoning }),
        toolCalls: finishedCalls(calls, isCut, options.newId),
        finishReason,
        ...(usage && { usage }),
      }
    },
  }
}

/** The call that a piece belongs to: by index, else by id, else the last one; a new one where it begins one. */
function callOf(calls: OpenCall[], delta: CallDelta): OpenCall {
  const known = knownCall(calls, delta)
  if (known !== undefined && !beginsAnother(known, delta)) return known
  const opened: OpenCall = { index: delta.index, id: delta.id, name: '', raw: '' }
  calls.push(opened)
  return opened
}

function knownCall(calls: readonly OpenCall[], { index, id }: CallDelta): OpenCall | undefined {
  const candidates = index === null ? calls : calls.filter((call) => call.index === index)
  const last = candidates.at(-1)
  if (id === '') return last
  // A new id on a used index is a new call; an id that comes late belongs to the call that waits for it.
  return candidates.findLast((call) => call.id === id) ?? (index !== null && last?.id === '' ? last : undefined)
}

/** Servers that number every call 0, or not at all, and give no ids: a named piece after whole arguments is the next call. */
function beginsAnother(known: OpenCall, delta: CallDelta): boolean {
  if (delta.name === '' || known.name === '') return false
  if (delta.id === '' && delta.name !== known.name) return true
  const hasArguments = typeof delta.arguments === 'string' ? delta.arguments.trim() !== '' : delta.arguments != null
  return hasArguments && isWholeJson(known.raw)
}

function appended(raw: string, piece: unknown): string {
  if (piece === undefined || piece === null) return raw
  if (typeof piece === 'string') return raw + piece
  return raw.trim() === '' || isWholeJson(raw) ? JSON.stringify(piece) : raw + JSON.stringify(piece)
}

function finishedCalls(calls: readonly OpenCall[], isCut: boolean, newId: () => string): readonly ToolCall[] {
  const taken = new Set<string>()
  return calls.map((call, position) => {
    let { id } = call
    while (id === '' || taken.has(id)) id = newId()
    taken.add(id)
    return finishedCall({ ...call, id }, isCut && position === calls.length - 1)
  })
}

/** A server that names one of these gave up in the middle. */
const brokenReasons: ReadonlySet<string> = new Set(['error', 'abort', 'insufficient_system_resource'])

function finishReasonOf(reason: string | undefined, hasCalls: boolean): FinishReason {
  if (reason === 'length' || reason === 'max_tokens') return 'length'
  if (reason === 'content_filter') return 'content_filter'
  // Some servers say `stop` although they ask for actions.
  return hasCalls ? 'tool_calls' : 'stop'
}
