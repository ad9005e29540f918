import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import { type ErrorBody, errorBody } from '../domain/error.ts'
import { cleanErrorBody } from '../domain/leaks/errors.ts'
import { shapeRedactor } from '../domain/leaks/redactor.ts'
import { sanitizeText } from '../domain/text.ts'

/** Text in a colour of ours. */
interface Coloured {
  readonly text: string
  readonly colour: number
}

/**
 * Where a command prints. Texts may come from a model, a server or a file: control characters are taken out of all of them, so
 * that none can steer the terminal. `isJson`: values for programs on stdout; otherwise text for people.
 */
export interface Terminal {
  readonly isJson: boolean
  readonly isInteractive: boolean
  /** A person sits at it who can be asked. */
  readonly canAsk: boolean
  /** One JSON value, or one line of many. */
  json(value: unknown): void
  /** A line for people; nothing with `--json`. */
  line(...parts: readonly (string | Coloured)[]): void
  /** Without a line break: streamed text. */
  write(text: string): void
  /** A side remark on stderr, for people. */
  note(text: string): void
  /** One line from the person; null when the input has ended. Only where `canAsk`. */
  ask(question: string): Promise<string | null>
  /** The same for what nobody may see: typed without an echo, or the first line of what is piped in. */
  askSecret(question: string): Promise<string | null>
  fail(error: unknown): void
  /** After Ctrl-C: what the command still says of its thread is no longer asked for. */
  silence(): void
  dim(text: string): Coloured
  status(text: string, isGood: boolean): Coloured
}

export interface Streams {
  readonly in?: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly out: NodeJS.WritableStream & { readonly isTTY?: boolean }
  readonly err: NodeJS.WritableStream
}

export function createTerminal(streams: Streams, isJson: boolean): Terminal {
  let isSilent = false
  let endQuestion: () => void = () => undefined
  const isInteractive = streams.out.isTTY === true && !isJson
  const shown = (part: string | Coloured) => {
    if (typeof part === 'string') return sanitizeText(part)
    const text = sanitizeText(part.text)
    return isInteractive ? `\u001b[${part.colour}m${text}\u001b[0m` : text
  }
  return {
    isJson,
    isInteractive,
    canAsk: isInteractive && streams.in?.isTTY === true,
    json(value) {
      if (isJson && !isSilent) streams.out.write(`${jsonText(value)}\n`)
    },
    line(...parts) {
      if (!isJson && !isSilent) streams.out.write(`${parts.map(shown).join('')}\n`)
    },
    write(text) {
      if (!isJson && !isSilent) streams.out.write(sanitizeText(text))
    },
    note(text) {
      if (!isSilent) streams.err.write(`${sanitizeText(text)}\n`)
    },
    ask(question) {
      const { in: input } = streams
      if (input === undefined || isSilent) return Promise.resolve(null)
      streams.out.write(sanitizeText(question))
      // Not as a terminal: Ctrl-C stays the signal that it is.
      const lines = createInterface({ input, terminal: false })
      endQuestion = () => lines.close()
      return firstOf(lines)
    },
    async askSecret(question) {
      const { in: input, err } = streams
      if (input === undefined || isSilent) return null
      const isTyped = input.isTTY === true
      if (isTyped) err.write(sanitizeText(question))
      // A terminal's own echo is off while its keys are read here, and what is read is shown nowhere.
      const lines = createInterface({ input, output: nowhere(), terminal: isTyped })
      endQuestion = () => lines.close()
      lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
      const line = await firstOf(lines)
      if (isTyped) err.write('\n')
      return line
    },
    silence() {
      isSilent = true
      endQuestion()
    },
    fail(error) {
      // The engine takes out what it knows; what fails before there is one may quote a line, a file or an address.
      const body = cleanErrorBody(errorBody(error), shapeRedactor)
      const text = isJson ? jsonText({ error: shortBody(body) }) : sanitizeText(`${body.code}: ${messageOf(body)}`)
      streams.err.write(`${text}\n`)
    },
    dim: (text) => ({ text, colour: 2 }),
    status: (text, isGood) => ({ text, colour: isGood ? 32 : 31 }),
  }
}

function firstOf(lines: Interface): Promise<string | null> {
  return new Promise((resolve) => {
    lines.once('close', () => resolve(null))
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
  })
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

/** JSON escapes the control characters below the space by itself; these steer a terminal as well. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  )
}

function shortBody({ code, message, data }: ErrorBody) {
  return { code, message, ...(data && { data }) }
}

/** For people: what happened and what to do, then the plain cause where it says more. */
function messageOf({ userMessage, message }: ErrorBody): string {
  return userMessage.includes(message) ? userMessage : `${userMessage} (${message})`
}
