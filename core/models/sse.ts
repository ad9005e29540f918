import { createParser } from 'eventsource-parser'

/** Takes the bytes of one answer as they come. `end` is called once, after a clean end only. */
export interface BodyReader {
  readonly push: (bytes: Uint8Array) => void
  readonly end: () => void
}

export interface EventHandlers {
  /** `isTail`: the last event, which no blank line ended; it may be half a message. */
  readonly onData: (data: string, options: { readonly event: string; readonly isTail: boolean }) => void
  /** The non-standard `error:` field of some llama.cpp builds, at HTTP 200. */
  readonly onErrorField: (value: string) => void
}

interface LineBuffer {
  /** Everything up to and with the last line end seen so far; '' while a line is still open. */
  readonly take: (text: string) => string
  readonly rest: () => string
}

/** Fragments are joined only when a line ends: a long line in tiny pieces stays linear. */
function createLineBuffer(): LineBuffer {
  let fragments: string[] = []
  const rest = () => {
    const text = fragments.join('')
    fragments = []
    return text
  }
  return {
    rest,
    take(text) {
      const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1
      if (end === 0) {
        fragments.push(text)
        return ''
      }
      const lines = rest() + text.slice(0, end)
      if (end < text.length) fragments.push(text.slice(end))
      return lines
    },
  }
}

/**
 * An event stream per the HTML standard, from bytes cut anywhere. The parser is fed whole lines only: it drops an unknown
 * field that is split between two feeds, and `error:` is one of those.
 */
export function createEventReader(handlers: EventHandlers): BodyReader {
  const decoder = new TextDecoder()
  const lines = createLineBuffer()
  let isTail = false
  const parser = createParser({
    onEvent: ({ data, event }) => handlers.onData(data, { event: event ?? '', isTail }),
    onError: (error) => {
      if (error.type === 'unknown-field' && error.field === 'error') handlers.onErrorField(error.value ?? '')
    },
  })
  return {
    push(bytes) {
      const whole = lines.take(decoder.decode(bytes, { stream: true }))
      if (whole !== '') parser.feed(whole)
    },
    end() {
      isTail = true
      parser.feed(`${lines.rest()}${decoder.decode()}\n\n`)
    },
  }
}

/** One JSON value a line (NDJSON). Blank lines are skipped. */
export function createLineReader(onLine: (line: string, options: { readonly isTail: boolean }) => void): BodyReader {
  const decoder = new TextDecoder()
  const lines = createLineBuffer()
  const emit = (text: string, isTail: boolean) => {
    for (const line of text.split(/\r\n|\r|\n/)) if (line.trim() !== '') onLine(line, { isTail })
  }
  return {
    push: (bytes) => emit(lines.take(decoder.decode(bytes, { stream: true })), false),
    end: () => emit(lines.rest() + decoder.decode(), true),
  }
}

/** The whole answer as one text, handed over at its end. */
export function createDocumentReader(onDocument: (text: string) => void): BodyReader {
  const decoder = new TextDecoder()
  const parts: string[] = []
  return {
    push: (bytes) => {
      parts.push(decoder.decode(bytes, { stream: true }))
    },
    end: () => onDocument(parts.join('') + decoder.decode()),
  }
}

/** Chooses a reader by the first character that is not white space: a byte that comes alone decides as well as a packet. */
export function createSniffingReader(choose: (first: string) => BodyReader): BodyReader {
  const held: Uint8Array[] = []
  let chosen: BodyReader | undefined
  return {
    push(bytes) {
      if (chosen === undefined) {
        const first = bytes.find((byte) => !blankBytes.has(byte))
        if (first === undefined) {
          held.push(bytes)
          return
        }
        chosen = choose(String.fromCharCode(first))
        for (const earlier of held) chosen.push(earlier)
      }
      chosen.push(bytes)
    },
    end: () => chosen?.end(),
  }
}
const blankBytes: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
