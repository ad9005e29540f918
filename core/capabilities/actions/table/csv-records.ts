/** Splits CSV text that arrives in pieces into records. */
interface RecordReader {
  /** Records that are whole by now. */
  push(text: string): string[][]
  /** What is left once the text has ended. */
  end(): string[][]
  /** Quotes that opened and never closed: they were read as ordinary characters. */
  readonly unpaired: number
}

interface Field {
  readonly value: string
  /** Where the delimiter or line end after it stands. */
  readonly end: number
}

// A quote that never closes would swallow the rest of the file: no field is longer than this.
const fieldCharacters = 1_048_576
const quote = 0x22
const carriageReturn = 0x0d

/**
 * RFC 4180, read with patience: rows may have any number of fields, blank lines are no rows, quotes inside an unquoted
 * field stand for themselves, and so do those around a field that goes on after its closing quote.
 * `lineEnd` is \n (with or without \r before it) or, in very old files, \r alone.
 */
export function createRecordReader(delimiter: string, lineEnd: '\n' | '\r'): RecordReader {
  const stops: readonly [number, number] = [delimiter.charCodeAt(0), lineEnd.charCodeAt(0)]
  let rest = ''
  let unpaired = 0

  /** undefined: the text ends before the field does. */
  const readField = (text: string, at: number, isLast: boolean): Field | undefined => {
    if (text.charCodeAt(at) !== quote) return readPlain(text, at, at, isLast, stops)
    const close = findClose(text, at)
    // Two more characters tell what follows the quote: \r may be the first half of a line end.
    if (!isLast && (close < 0 ? text.length - at <= fieldCharacters : close + 2 >= text.length)) return undefined
    if (close < 0) {
      unpaired += 1
      return readPlain(text, at, at, isLast, stops)
    }
    const end = endAfterQuote(text, close + 1, stops)
    if (end === undefined) return readPlain(text, at, close + 1, isLast, stops)
    return { value: text.slice(at + 1, close).replaceAll('""', '"'), end }
  }

  const split = (text: string, isLast: boolean): string[][] => {
    const records: string[][] = []
    let recordStart = 0
    let fields: string[] = []
    for (let at = 0; at < text.length || (isLast && at > recordStart); ) {
      const field = readField(text, at, isLast)
      if (!field) break
      fields.push(field.value)
      at = field.end + 1
      if (field.end < text.length && text.charCodeAt(field.end) !== stops[1]) continue
      if (fields.length > 1 || field.value.trim() !== '') records.push(fields)
      fields = []
      recordStart = at
    }
    rest = text.slice(recordStart)
    return records
  }

  return {
    push: (text) => split(rest + text, false),
    end: () => split(rest, true),
    get unpaired() {
      return unpaired
    },
  }
}

function findClose(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  while (close >= 0 && text.charCodeAt(close + 1) === quote) close = text.indexOf('"', close + 2)
  return close
}

/** Everything from `start` to the first stop at or after `from`. */
function readPlain(
  text: string,
  start: number,
  from: number,
  isLast: boolean,
  [delimiter, lineEnd]: readonly [number, number],
): Field | undefined {
  let end = from
  let unit = text.charCodeAt(end)
  while (end < text.length && unit !== delimiter && unit !== lineEnd) {
    end += 1
    unit = text.charCodeAt(end)
  }
  if (end >= text.length && !isLast) return undefined
  const isAtReturn = unit !== delimiter && end > start && text.charCodeAt(end - 1) === carriageReturn
  return { value: text.slice(start, isAtReturn ? end - 1 : end), end }
}

/** Where the delimiter or line end right after a closing quote stands; undefined where something else follows. */
function endAfterQuote(
  text: string,
  from: number,
  [delimiter, lineEnd]: readonly [number, number],
): number | undefined {
  if (from >= text.length) return text.length
  const isReturn = text.charCodeAt(from) === carriageReturn && lineEnd !== carriageReturn
  const at = isReturn ? from + 1 : from
  if (at >= text.length) return text.length
  const unit = text.charCodeAt(at)
  return unit === lineEnd || (unit === delimiter && !isReturn) ? at : undefined
}
