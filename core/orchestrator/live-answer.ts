import type { LiveDelta } from '../domain/event.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import { createStreamRedactor, type StreamRedactor } from '../domain/leaks/stream.ts'
import type { ModelDelta } from '../domain/model.ts'
import { sanitizeText } from '../domain/text.ts'

interface LiveAnswerParts {
  readonly threadId: string
  readonly step: number
  readonly redactor: Redactor
  readonly emit: (delta: LiveDelta) => void
}

/** An answer as it is shown while it comes. */
interface LiveAnswer {
  push(delta: ModelDelta): void
  /** Shows what was held back. */
  end(): void
}

/** The end of what came is held back while it could become a secret: a key may come in two pieces. */
export function createLiveAnswer({ threadId, step, redactor, emit }: LiveAnswerParts): LiveAnswer {
  const streams = new Map<'text' | 'reasoning', StreamRedactor>()

  function show(kind: LiveDelta['kind'], text: string): void {
    if (text !== '') emit({ threadId, step, kind, text: sanitizeText(text) })
  }
  function end(): void {
    for (const [kind, stream] of streams) show(kind, stream.end())
    streams.clear()
  }

  return {
    push(delta) {
      if (delta.kind === 'call') {
        end()
        return show('call', redactor.text(delta.name))
      }
      const stream = streams.get(delta.kind) ?? createStreamRedactor(redactor)
      streams.set(delta.kind, stream)
      show(delta.kind, stream.push(delta.text))
    },
    end,
  }
}
