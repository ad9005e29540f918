// node test/support/lock.mjs, after a change of package.json: writes package-lock.json for all platforms. It works in a folder
// without node_modules (npm writes only what it sees there) and adds the optional parts that the registry does not serve.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const tmp = fs.mkdtempSync(path.join(os.tmpdir(), 'lock-'))
for (const f of ['package.json', 'package-lock.json', '.npmrc'])
  if (fs.existsSync(f)) fs.copyFileSync(f, path.join(tmp, f))
execFileSync('npm', ['install', '--package-lock-only', '--loglevel=error'], { cwd: tmp, stdio: 'inherit' })
const lock = JSON.parse(fs.readFileSync(path.join(tmp, 'package-lock.json'), 'utf8'))
for (const { optionalDependencies = {} } of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const words = name.split(/[/-]/)
    const cpu = words.filter((w) => ['x64', 'arm64', 'wasm32'].includes(w))
    const system = words.filter((w) => ['darwin', 'win32', 'linux'].includes(w))
    if (cpu.length === 0 && !lock.packages[`node_modules/${name}`])
      throw new Error(`${name}: no platform in its name; decide by hand`)
    lock.packages[`node_modules/${name}`] ??= { version, cpu, ...(system.length > 0 && { os: system }), optional: true }
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
fs.writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
fs.rmSync(tmp, { recursive: true })
