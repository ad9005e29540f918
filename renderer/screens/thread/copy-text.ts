import type { StoredEvent } from '../../../core/domain/event.ts'
import type { ThreadHeader } from '../../../core/domain/thread.ts'
import { canvasMarkdown } from '../../canvas/canvas-markdown.ts'
import { bytesText, counted, durationText } from '../../format/figures.ts'
import type { Span } from '../../timeline/span.ts'
import { callsOf, spanAt, type Timeline } from '../../timeline/timeline.ts'
import { transcriptItems } from './transcript-items.ts'

/** Reads one event with its body. */
export type ReadBody = (seq: number) => Promise<StoredEvent>

const maxCopyCharacters = 2_000_000
const resultCharacters = 4_000

/** The events behind a span with their bodies; for the thread its header, its index and what else is on record. */
export async function spanJson(timeline: Timeline, header: ThreadHeader, at: { id: number; readBody: ReadBody }) {
  const span = spanAt(timeline, at.id)
  if (span.kind === 'thread')
    return JSON.stringify({ thread: header, spans: timeline.spans, events: timeline.notes }, null, 2)
  const calls = span.kind === 'step' ? callsOf(timeline, at.id).map((id) => spanAt(timeline, id)) : [span]
  const seqs = calls.flatMap(({ startSeq, endSeq }) => [startSeq, endSeq ?? 0]).filter((seq) => seq > 0)
  const events: StoredEvent[] = []
  for (const seq of seqs) events.push(await at.readBody(seq))
  return JSON.stringify({ threadId: header.id, step: span.step, name: span.name, events }, null, 2)
}

/** The whole thread to read elsewhere. Stops at 2 MB, and says so. */
export async function transcriptMarkdown(
  timeline: Timeline,
  header: ThreadHeader,
  readBody: ReadBody,
): Promise<string> {
  const state = header.outcome ?? header.state
  const parts = [`# ${header.title}\n\nThread #${header.number}, ${state}, ${counted(timeline.stepIds.size, 'step')}.`]
  let length = 0
  const items = transcriptItems(timeline)
  for (const [index, item] of items.entries()) {
    const part =
      item.kind === 'step' ? await stepMarkdown(timeline, item.id, readBody) : await eventMarkdown(item.seq, readBody)
    length += part.length
    if (length > maxCopyCharacters) {
      parts.push(`_Cut here at ${bytesText(maxCopyCharacters)}: ${counted(items.length - index, 'more part')}._`)
      break
    }
    parts.push(part)
  }
  return `${parts.join('\n\n')}\n`
}

async function eventMarkdown(seq: number, readBody: ReadBody): Promise<string> {
  const event = await readBody(seq)
  if (event.kind === 'canvas.emitted') return canvasMarkdown(event.body.canvas)
  return event.kind === 'message.added' ? `## ${event.data.role}\n\n${event.body.content}` : ''
}

async function stepMarkdown(timeline: Timeline, id: number, readBody: ReadBody): Promise<string> {
  const parts = [`## ${spanAt(timeline, id).name}`]
  for (const callId of callsOf(timeline, id)) {
    const call = spanAt(timeline, callId)
    const part = call.kind === 'model' ? await modelMarkdown(call, readBody) : await actionMarkdown(call, readBody)
    if (part !== '') parts.push(part)
  }
  return parts.join('\n\n')
}

async function modelMarkdown(call: Span, readBody: ReadBody): Promise<string> {
  if (call.endSeq === null) return `_${call.name}: no answer on record._`
  const event = await readBody(call.endSeq)
  if (event.kind === 'model.failed') return `_${call.name} failed (${event.data.code}): ${event.data.userMessage}_`
  return event.kind === 'model.completed' ? event.body.text : ''
}

async function actionMarkdown(call: Span, readBody: ReadBody): Promise<string> {
  const took = call.endedAt === null ? 'end not recorded' : durationText(call.endedAt - call.startedAt)
  const title = `**${call.name}** ${call.summary}\n${call.state}, ${took}`
  if (call.endSeq === null) return title
  const event = await readBody(call.endSeq)
  if (event.kind !== 'action.finished') return title
  const { result } = event.body
  const text = typeof result === 'string' ? result : JSON.stringify(result, null, 2)
  const cut = text.length > resultCharacters ? `\n[cut: ${text.length - resultCharacters} characters left out]` : ''
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length + 1)))
  return `${title}\n\n${fence}\n${text.slice(0, resultCharacters)}${cut}\n${fence}`
}
