import type { Completion, CompletionRequest } from '../../../core/domain/model.ts'
import { scriptedCall } from '../../support/scripted-model.ts'
import { libraryOf, skillOf } from '../skills/skill-files.ts'

export const library = libraryOf(skillOf('tide', { run: { tools: ['touch'] } }))

/** What it answers follows from the transcript alone: every life goes on with the same thread. */
export function answerTo({ messages }: CompletionRequest): Partial<Completion> {
  const isRun = messages[0]?.content.startsWith('# USER CONTEXT') === true
  const turn = messages.filter(({ role }) => role === 'assistant').length
  if (!isRun) {
    if (turn > 0) return { text: 'all is done' }
    return {
      toolCalls: ['a', 'b'].map((id) => scriptedCall('run_skill', { name: 'tide', objective: `touch ${id}` }, id)),
    }
  }
  const key = messages.findLast(({ role }) => role === 'user')?.content.slice('touch '.length) ?? ''
  if (turn > 0) return { text: `${key} is touched` }
  return { toolCalls: [scriptedCall('touch', { key }), scriptedCall('emit_canvas', card(key))] }
}

const card = (key: string) => ({ kind: 'markdown', title: key, text: key, id: key })
