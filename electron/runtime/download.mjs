// The official Electron, by the electron package's own installer, which knows mirrors, proxies and checksums.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const stallMs = 20_000
const lookMs = 500

/**
 * Rejects when the installer fails, or when no byte arrived for `stallMs`: a slow line may take its time, a dead one may not
 * keep a newcomer waiting.
 */
export function download({ folder, cache }) {
  fs.mkdirSync(cache, { recursive: true })
  const arriving = fs.mkdtempSync(path.join(cache, 'download-'))
  const env = { ...process.env, TMPDIR: arriving, TEMP: arriving, TMP: arriving }
  const installer = spawn(nodeOf(folder), [path.join(folder, 'install.js')], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  installer.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const tooQuiet = watchBytes([arriving, path.join(folder, 'dist')], () => {
    said = `nothing arrived for ${stallMs / 1_000} s`
    installer.kill('SIGKILL')
  })
  return new Promise((resolve, reject) => {
    installer.on('error', reject)
    installer.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(reasonOf(said)))))
  }).finally(() => {
    clearInterval(tooQuiet)
    fs.rmSync(arriving, { recursive: true, force: true })
  })
}

/** The installer loads ES modules by require, which the oldest Node that may start us cannot. */
function nodeOf(folder) {
  const pinned = path.join(folder, '../.bin/node')
  return process.platform !== 'win32' && fs.existsSync(pinned) ? pinned : process.execPath
}

function watchBytes(folders, onStall) {
  let last = -1
  let quietSince = performance.now()
  return setInterval(() => {
    const bytes = folders.reduce((sum, folder) => sum + bytesBelow(folder), 0)
    if (bytes !== last) quietSince = performance.now()
    last = bytes
    if (performance.now() - quietSince >= stallMs) onStall()
  }, lookMs)
}
function bytesBelow(folder) {
  if (!fs.existsSync(folder)) return 0
  return fs
    .readdirSync(folder, { recursive: true })
    .reduce((sum, name) => sum + (fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0)
}

/** The innermost cause on a stack: `fetch failed` alone tells nobody anything. */
function reasonOf(text) {
  const lines = text.split('\n').filter((line) => /Error|cause/.test(line))
  return (lines.at(-1) ?? text).trim() || 'the installer said nothing'
}
