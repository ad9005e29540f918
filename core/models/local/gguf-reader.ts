import type { FileHandle } from 'node:fs/promises'

/** The file is shorter than its header says. */
export class HeaderTruncated extends Error {}
/** What stands there is not a GGUF header. */
export class HeaderUnreadable extends Error {}

/** Reads a GGUF header front to back, a window at a time. */
export interface HeaderReader {
  /** Values by key; long lists are passed over. Throws HeaderTruncated, HeaderUnreadable. */
  metadata(): Promise<{ readonly version: number; readonly values: ReadonlyMap<string, unknown> }>
  /** After `metadata`: every tensor lies within the file. */
  checkTensors(alignment: number): Promise<void>
}

const windowBytes = 1_048_576
// What no real file comes near; a hostile one must not keep us reading.
const most = {
  keys: 100_000,
  tensors: 1_000_000,
  listed: 16_777_216,
  textBytes: 16_777_216,
  kept: 1_024,
  dimensions: 8,
}

export function createHeaderReader(handle: FileHandle, fileBytes: number): HeaderReader {
  const read = createReads(handle, fileBytes)
  let tensors = 0

  async function value(type: number): Promise<unknown> {
    if (type === stringType) return read.text()
    if (type === listType) return list()
    const size = sizes[type]
    if (size === undefined) throw new HeaderUnreadable(`a value of unknown type ${type}`)
    return read.number(type, size)
  }

  /** Short lists are kept, as figures for each layer are; of a vocabulary only the length would count. */
  async function list(): Promise<readonly unknown[]> {
    const type = await read.number(4, 4)
    const count = await read.count(most.listed)
    const size = sizes[type]
    if (size !== undefined && count > most.kept) {
      await read.skip(count * size)
      return []
    }
    if (type === listType) throw new HeaderUnreadable('a list of lists')
    const values: unknown[] = []
    for (let at = 0; at < count; at += 1) {
      if (count <= most.kept) values.push(await value(type))
      else await read.skip(await read.count(most.textBytes))
    }
    return values
  }

  async function tensorEnd(): Promise<number> {
    await read.text()
    const dimensions = await read.number(4, 4)
    if (dimensions > most.dimensions) throw new HeaderUnreadable(`a tensor of ${dimensions} dimensions`)
    let elements = 1
    for (let at = 0; at < dimensions; at += 1) elements *= await read.count(Number.MAX_SAFE_INTEGER)
    const type = await read.number(4, 4)
    const offset = await read.count(Number.MAX_SAFE_INTEGER)
    // A type that is newer than this table: where it begins is all that can be checked.
    const [block, bytes] = tensorTypes[type] ?? [1, 0]
    return offset + (elements / block) * bytes
  }

  return {
    async metadata() {
      if ((await read.bytes(4)).toString('latin1') !== 'GGUF') throw new HeaderUnreadable('not a GGUF file')
      const version = await read.number(4, 4)
      // Another layout may follow: nothing more is read.
      if (version < 2 || version > 3) return { version, values: new Map() }
      tensors = await read.count(most.tensors)
      const keys = await read.count(most.keys)
      const values = new Map<string, unknown>()
      for (let at = 0; at < keys; at += 1) values.set(await read.text(), await value(await read.number(4, 4)))
      return { version, values }
    },
    async checkTensors(alignment) {
      let end = 0
      for (let at = 0; at < tensors; at += 1) end = Math.max(end, await tensorEnd())
      const start = Math.ceil(read.position() / alignment) * alignment
      if (start + end > fileBytes) throw new HeaderTruncated()
    },
  }
}

/** Types of values by number: how many bytes each takes. 8 is text, 9 a list. */
const sizes: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 }
const stringType = 8
const listType = 9

function createReads(handle: FileHandle, fileBytes: number) {
  let held = Buffer.alloc(0)
  /** Of the first byte held, in the file. */
  let start = 0
  let at = 0

  async function bytes(count: number): Promise<Buffer> {
    if (at + count > held.length) {
      start += at
      at = 0
      if (start + count > fileBytes) throw new HeaderTruncated()
      held = Buffer.alloc(Math.min(Math.max(count, windowBytes), fileBytes - start))
      const { bytesRead } = await handle.read(held, 0, held.length, start)
      if (bytesRead < count) throw new HeaderTruncated()
      held = held.subarray(0, bytesRead)
    }
    at += count
    return held.subarray(at - count, at)
  }

  async function count(largest: number): Promise<number> {
    const value = (await bytes(8)).readBigUInt64LE()
    if (value > BigInt(largest)) throw new HeaderUnreadable(`a count of ${value}`)
    return Number(value)
  }

  return {
    bytes,
    count,
    position: () => start + at,
    async skip(length: number): Promise<void> {
      if (at + length <= held.length) {
        at += length
        return
      }
      start += at + length
      at = 0
      held = Buffer.alloc(0)
      if (start > fileBytes) throw new HeaderTruncated()
    },
    text: async (): Promise<string> => (await bytes(await count(most.textBytes))).toString('utf8'),
    number: async (type: number, size: number): Promise<number> => numberAt(await bytes(size), type),
  }
}

function numberAt(bytes: Buffer, type: number): number {
  switch (type) {
    case 1:
      return bytes.readInt8()
    case 2:
      return bytes.readUInt16LE()
    case 3:
      return bytes.readInt16LE()
    case 4:
      return bytes.readUInt32LE()
    case 5:
      return bytes.readInt32LE()
    case 6:
      return bytes.readFloatLE()
    case 10:
      return Number(bytes.readBigUInt64LE())
    case 11:
      return Number(bytes.readBigInt64LE())
    case 12:
      return bytes.readDoubleLE()
    default:
      return bytes.readUInt8()
  }
}

/** Elements of a block and its bytes, by ggml's number of the type. Source: ggml-common.h. */
const tensorTypes: Readonly<Record<number, readonly [number, number]>> = {
  0: [1, 4],
  1: [1, 2],
  2: [32, 18],
  3: [32, 20],
  6: [32, 22],
  7: [32, 24],
  8: [32, 34],
  9: [32, 36],
  10: [256, 84],
  11: [256, 110],
  12: [256, 144],
  13: [256, 176],
  14: [256, 210],
  15: [256, 292],
  16: [256, 66],
  17: [256, 74],
  18: [256, 98],
  19: [256, 50],
  20: [32, 18],
  21: [256, 110],
  22: [256, 82],
  23: [256, 136],
  24: [1, 1],
  25: [1, 2],
  26: [1, 4],
  27: [1, 8],
  28: [1, 8],
  29: [256, 56],
  30: [1, 2],
  34: [256, 54],
  35: [256, 66],
  39: [32, 17],
}
