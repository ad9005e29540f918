import { crc32, deflateRawSync } from 'node:zlib'

/** A record of a zip file as its maker wants it, true or not. */
export interface Made {
  readonly name: string | Buffer
  readonly data?: string | Buffer
  /** Of Unix; 0o100644 where nothing is said. */
  readonly mode?: number
  readonly method?: number
  readonly flags?: number
  /** What the local header says instead. */
  readonly localName?: string
  /** The size that is promised. */
  readonly bytes?: number
  readonly crc?: number
  /** It lies in the bytes of an earlier record, which is not packed and begins with it. */
  readonly insideOf?: number
}

export interface MadeEnd {
  readonly count?: number
  readonly directoryFrom?: number
  readonly before?: Buffer
  readonly after?: Buffer
  readonly comment?: Buffer
}

/** A zip file, byte by byte: no library writes what a hostile one holds. */
export function zipFile(records: readonly Made[], end: MadeEnd = {}): Buffer {
  const { before = Buffer.alloc(0), after = Buffer.alloc(0), comment = Buffer.alloc(0) } = end
  const locals: Buffer[] = [before]
  const directory: Buffer[] = []
  const dataAt: number[] = []
  let at = before.length
  for (const made of records) {
    const raw = Buffer.from(made.data ?? '')
    const method = made.method ?? 8
    const packed = method === 8 ? deflateRawSync(raw) : raw
    const inside = made.insideOf === undefined ? undefined : dataAt[made.insideOf]
    const name = Buffer.from(made.name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(made.flags ?? 0x800, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE((made.crc ?? crc32(raw)) >>> 0, 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(made.bytes ?? raw.length, 18)
    const localName = Buffer.from(made.localName ?? name)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(((made.mode ?? 0o100644) << 16) >>> 0, 6)
    tail.writeUInt32LE(inside ?? at, 10)
    directory.push(sign('PK\x01\x02'), Buffer.from([20, 3]), withName(common, name), tail, name)
    const local = Buffer.concat([sign('PK\x03\x04'), withName(common, localName), localName, packed])
    dataAt.push(at + local.length - packed.length)
    if (inside !== undefined) continue
    locals.push(local)
    at += local.length
  }
  const listed = Buffer.concat(directory)
  const last = Buffer.alloc(18)
  last.writeUInt16LE((end.count ?? records.length) & 0xffff, 4)
  last.writeUInt16LE((end.count ?? records.length) & 0xffff, 6)
  last.writeUInt32LE(listed.length, 8)
  last.writeUInt32LE(end.directoryFrom ?? at, 12)
  last.writeUInt16LE(comment.length, 16)
  return Buffer.concat([...locals, listed, sign('PK\x05\x06'), last, comment, after])
}

function sign(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

/** The part that local and directory records share, with the length of this name. */
function withName(common: Buffer, name: Buffer): Buffer {
  const copy = Buffer.from(common)
  copy.writeUInt16LE(name.length, 22)
  return copy
}
