import { crc32, inflateRawSync } from 'node:zlib'
import { limits } from '../../domain/limits.ts'
import {
  type ArchiveEntry,
  ArchiveRefusal,
  type Budget,
  createBudget,
  refusePath,
  refuseTwins,
  tooMany,
} from './entry.ts'

/** One record of a zip file's directory, with where its bytes are. */
interface ZipRecord {
  readonly path: string
  readonly isFolder: boolean
  readonly isExecutable: boolean
  readonly method: number
  readonly crc: number
  readonly packedBytes: number
  readonly bytes: number
  /** From the local header to the end of the packed bytes. */
  readonly from: number
  readonly dataFrom: number
  readonly to: number
}

/**
 * The files of a zip file, unpacked in memory. The directory at its end is what counts, and every local header must say the same, so
 * that no two programs see two archives. @throws ArchiveRefusal for what is damaged, or made to do harm.
 */
export function zipEntries(zip: Uint8Array): readonly ArchiveEntry[] {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  const records = recordsOf(view)
  refuseOverlaps(records)
  const [folders, files] = [records.filter(({ isFolder }) => isFolder), records.filter(({ isFolder }) => !isFolder)]
  refuseTwins(files.map(pathOf), folders.map(pathOf))
  const budget = createBudget()
  for (const { path } of folders) budget.enterFolder(path)
  return files.map((record) => {
    budget.enter(record.path)
    const data = dataOf(view, record, budget)
    budget.take(record.path, data.byteLength)
    return { path: record.path, data, isExecutable: record.isExecutable }
  })
}
const pathOf = ({ path }: ZipRecord) => path

const sign = { end: 0x06054b50, record: 0x02014b50, local: 0x04034b50 } as const
const endBytes = 22
const recordBytes = 46
const localBytes = 30

interface Directory {
  readonly from: number
  readonly to: number
  readonly count: number
}

function damaged(message: string, path = ''): ArchiveRefusal {
  return new ArchiveRefusal('E_ARCHIVE', path, `${message} The archive is damaged, or it was made to mislead.`)
}

/** Exactly one end, with nothing behind it: whoever looks for it otherwise must find the same. */
function directoryOf(view: DataView): Directory {
  const lowest = Math.max(0, view.byteLength - endBytes - 65_535)
  const ends: number[] = []
  for (let at = view.byteLength - endBytes; at >= lowest; at -= 1) {
    if (view.getUint32(at, true) !== sign.end) continue
    if (at + endBytes + view.getUint16(at + 20, true) === view.byteLength) ends.push(at)
  }
  const [to, another] = ends
  if (to === undefined) throw damaged('It has no directory of a zip file at its end.')
  if (another !== undefined) throw damaged('It has two directories.')
  const count = view.getUint16(to + 10, true)
  const bytes = view.getUint32(to + 12, true)
  const from = view.getUint32(to + 16, true)
  if (count === 0xffff || bytes === 0xffffffff || from === 0xffffffff) {
    throw new ArchiveRefusal('E_TOO_MANY', '', 'It is a zip64 file: for many more or larger files than skills have.')
  }
  const isWhole = view.getUint32(to + 4, true) === 0 && view.getUint16(to + 8, true) === count
  if (!isWhole || from + bytes !== to) throw damaged('Its directory is not where it says.')
  return { from, to, count }
}

function recordsOf(view: DataView): readonly ZipRecord[] {
  const directory = directoryOf(view)
  // Folders have records too.
  if (directory.count > 2 * limits.importFiles) throw tooMany('')
  const records: ZipRecord[] = []
  let at = directory.from
  for (let read = 0; read < directory.count; read += 1) {
    const { record, next } = recordAt(view, at, directory)
    records.push(record)
    at = next
  }
  if (at !== directory.to) throw damaged('Its directory has more in it than it says.')
  return records
}

function recordAt(
  view: DataView,
  at: number,
  directory: Directory,
): { readonly record: ZipRecord; readonly next: number } {
  if (at + recordBytes > directory.to || view.getUint32(at, true) !== sign.record)
    throw damaged('Its directory ends early.')
  const nameBytes = view.getUint16(at + 28, true)
  const next = at + recordBytes + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  if (next > directory.to) throw damaged('Its directory ends early.')
  const name = nameAt(view, at + recordBytes, nameBytes)
  const isFolder = name.endsWith('/')
  const path = isFolder ? name.slice(0, -1) : name
  refusePath(path)
  // Encrypted, strongly encrypted, or with a hidden directory.
  if ((view.getUint16(at + 8, true) & 0x2041) !== 0) {
    throw new ArchiveRefusal('E_ENCRYPTED', path, 'It is encrypted. Unpack it yourself and import the folder.')
  }
  const mode = view.getUint16(at + 40, true)
  refuseKind(path, mode, isFolder)
  const packed = {
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    packedBytes: view.getUint32(at + 20, true),
    bytes: view.getUint32(at + 24, true),
  }
  const where = localOf(view, { from: view.getUint32(at + 42, true), name, ...packed, directory })
  return { record: { path, isFolder, isExecutable: !isFolder && (mode & 0o111) !== 0, ...packed, ...where }, next }
}

function nameAt(view: DataView, at: number, bytes: number): string {
  const raw = new Uint8Array(view.buffer, view.byteOffset + at, bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw)
  } catch {
    throw new ArchiveRefusal('E_NAME', Buffer.from(raw).toString('latin1'), 'The name is not UTF-8.')
  }
}

/** By the mode that Unix writes; 0 where another system wrote it. */
function refuseKind(path: string, mode: number, isFolder: boolean): void {
  const kind = mode & 0o170000
  if (kind === 0o120000)
    throw new ArchiveRefusal('E_LINK', path, 'It is a link. An archive of skills holds files only.')
  const isExpected = kind === 0 || kind === (isFolder ? 0o040000 : 0o100000)
  if (!isExpected) throw new ArchiveRefusal('E_NOT_REGULAR', path, 'It is no regular file.')
}

interface Named extends Pick<ZipRecord, 'method' | 'packedBytes' | 'from'> {
  readonly name: string
  readonly directory: Directory
}

function localOf(
  view: DataView,
  { from, name, method, packedBytes, directory }: Named,
): Pick<ZipRecord, 'from' | 'dataFrom' | 'to'> {
  if (from + localBytes > directory.from || view.getUint32(from, true) !== sign.local) {
    throw damaged('A file is not where the directory says.', name)
  }
  const nameBytes = view.getUint16(from + 26, true)
  const dataFrom = from + localBytes + nameBytes + view.getUint16(from + 28, true)
  const to = dataFrom + packedBytes
  if (to > directory.from) throw damaged('A file is longer than the archive.', name)
  const isSame = nameAt(view, from + localBytes, nameBytes) === name && view.getUint16(from + 8, true) === method
  if (!isSame) throw damaged('A file is called otherwise than the directory says.', name)
  return { from, dataFrom, to }
}

/** Bytes that belong to two files can open to any size. */
function refuseOverlaps(records: readonly ZipRecord[]): void {
  const inOrder = records.toSorted((a, b) => a.from - b.from)
  for (const [at, { to, path }] of inOrder.entries()) {
    const after = inOrder[at + 1]
    if (after !== undefined && to > after.from) throw damaged('Two files share their bytes.', path)
  }
}

function dataOf(view: DataView, record: ZipRecord, budget: Budget): Uint8Array {
  const { path, dataFrom, packedBytes, method, bytes, crc } = record
  const packed = new Uint8Array(view.buffer, view.byteOffset + dataFrom, packedBytes)
  const data = method === 0 ? Uint8Array.from(packed) : unpacked(packed, record, budget)
  if (data.byteLength !== bytes || crc32(data) !== crc) throw damaged('A file is not what the directory says.', path)
  return data
}

/** Stops at the first byte too many, whatever size was promised. */
function unpacked(packed: Uint8Array, { path, method }: ZipRecord, budget: Budget): Uint8Array {
  if (method !== 8) throw damaged(`A file is packed by method ${method}, which is not read here.`, path)
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(budget.fileBytes, 1) })
  } catch (error) {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw isTooLong ? budget.tooLarge(path) : damaged('A file cannot be unpacked.', path)
  }
}
