// node electron/runtime/setup.mjs start|test|dev|cli|bench|learn|kill|faults [args]: does the set-up that is missing, then the command.
// npm runs it before there is a node_modules, with any Node from 20 on: it may import nothing but node: and its neighbours.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { electronFlags, resolveElectron } from './electron.mjs'
import { installSystemLibraries } from './system-libraries.mjs'
import { runTests } from './test-run.mjs'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
const at = (...parts) => path.join(root, ...parts)
const bin = at('node_modules/.bin')
const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` }
const hasPinnedNode = process.platform === 'linux' && process.arch === 'x64'
const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)

const longestSetupMs = 30 * 60_000

const say = (text) => console.error(`[threadsmith] ${text}`)
function giveUp(text) {
  say(text)
  process.exit(1)
}

/** Runs a step of the set-up to its end. Its output goes to stderr: stdout belongs to the command that follows. */
function step(file, args, { cwd = root } = {}) {
  const { status, error } = spawnSync(file, args, {
    cwd,
    env,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) giveUp(`this failed: ${file} ${args.join(' ')}${error ? ` (${error.message})` : ''}`)
}

/** Does `work` unless it was done for these very inputs; the stamp lies in the folder that the work makes. */
function once(folder, key, work) {
  const stamp = path.join(folder, '.threadsmith-stamp')
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === key) return
  work()
  fs.writeFileSync(stamp, key)
}

/** Two commands that start at the same moment must not install or build over each other: the second one waits. */
function alone(work) {
  const lock = path.join(os.tmpdir(), `threadsmith-setup-${hashOf([root]).slice(0, 12)}.lock`)
  for (let tries = 0; !takeLock(lock); tries++) {
    if (tries === 10) say('waiting for another set-up of this checkout')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
  const release = () => fs.rmSync(lock, { force: true })
  process.once('exit', release)
  work()
  release()
  // From here on the lock is another's.
  process.off('exit', release)
}
function takeLock(lock) {
  try {
    fs.writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isRunning(lock)) fs.rmSync(lock, { force: true })
    return false
  }
}
function isRunning(lock) {
  try {
    // After a restart of the machine the number may be another program's: no set-up takes that long.
    if (fs.statSync(lock).mtimeMs < Date.now() - longestSetupMs) return false
    process.kill(Number(fs.readFileSync(lock, 'utf8')) || process.pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function hashOf(texts) {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(text).update('\0')
  return hash.digest('hex')
}
const packagesKey = (folder) =>
  `${hashOf([fs.readFileSync(path.join(folder, 'package-lock.json'))])} ${process.platform} ${process.arch}`

/** Changes whenever a file that is built was added, removed or written. Content read from disk is not built. */
function sourcesKey() {
  const facts = [fs.readFileSync(at('vite.config.ts')), packagesKey(root)]
  for (const folder of ['core', 'electron', 'renderer']) {
    for (const name of fs.readdirSync(at(folder), { recursive: true }).sort()) {
      const stat = fs.statSync(at(folder, name))
      if (stat.isFile() && !/[.](py|md|mjs)$/.test(name)) facts.push(`${folder}/${name} ${stat.mtimeMs} ${stat.size}`)
    }
  }
  return hashOf(facts)
}

function prepare(command) {
  if (!hasPinnedNode) {
    const [major, minor] = process.versions.node.split('.').map(Number)
    if (major < 22 || (major === 22 && minor < 12))
      giveUp(`Node 22.12 or newer is needed here; this is ${process.version}`)
  }
  const ci = ['ci', '--loglevel=error', '--no-fund', '--no-audit']
  once(at('node_modules'), packagesKey(root), () => {
    // npm empties the folder that a link leads to, and that is another checkout's.
    if (fs.lstatSync(at('node_modules'), { throwIfNoEntry: false })?.isSymbolicLink())
      giveUp(
        'node_modules is a link, and what it leads to was not installed by this checkout: remove the link, then start again',
      )
    say('installing packages from the lock')
    step('npm', ci)
  })
  if (command === 'bench') {
    once(at('test/bench/node_modules'), packagesKey(at('test/bench')), () => {
      say('installing what the bench compares with')
      step('npm', ci, { cwd: at('test/bench') })
    })
    return
  }
  if (command === 'kill' || command === 'faults') return
  if (process.platform === 'linux' && command !== 'cli') {
    installSystemLibraries({ withXvfb: command === 'test' || !hasDisplay, say, step, giveUp })
  }
  if (command === 'dev') return
  once(at('dist'), sourcesKey(), () => {
    say('building')
    step('vite', ['build', '--logLevel', 'warn'])
  })
}

/** Hands the terminal over; ends as the child ends. */
function become(file, args, options = {}) {
  const child = spawn(file, args, { cwd: root, env, stdio: 'inherit', shell: process.platform === 'win32', ...options })
  // From a terminal Ctrl-C reaches the child by itself; sent to us alone, it must be passed on.
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT')
  })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => giveUp(`${file} could not be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0)))
}

const commands = {
  async start(args) {
    if (!hasDisplay) giveUp('there is no display here. Run: xvfb-run -a npm start')
    const electron = await resolveElectron()
    become(electron.executable, [...electronFlags(), root, ...args], {
      env: { ...process.env, ...electron.env },
      shell: false,
    })
  },
  async test() {
    process.exit(await runTests({ root, env }))
  },
  async dev(args) {
    if (!hasDisplay) giveUp('there is no display here. Run: xvfb-run -a npm run dev')
    become('vite', args)
  },
  async cli(args) {
    // Paths are relative to where the person is, not to the checkout in which npm runs its scripts.
    become('node', [at('dist/main/cli.js'), ...args], { cwd: process.env.INIT_CWD ?? process.cwd() })
  },
  async learn(args) {
    become('node', [at('test/bench/learn.ts'), ...args])
  },
  async bench(args) {
    become('node', [at('test/bench/main.ts'), ...args])
  },
  async kill(args) {
    become('node', [at('test/kill/main.ts'), ...args])
  },
  async faults(args) {
    become('node', [at('test/faults/main.ts'), ...args])
  },
}

const [command, ...args] = process.argv.slice(2)
if (!Object.hasOwn(commands, command ?? '')) giveUp(`usage: setup.mjs ${Object.keys(commands).join('|')} [args]`)
alone(() => prepare(command))
await commands[command](args)
