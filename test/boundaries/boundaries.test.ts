import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

const repository = path.resolve(import.meta.dirname, '../..')

/** A small tree that keeps every rule. Each violation is one more file in it. */
const lawful: Readonly<Record<string, string>> = {
  'core/domain/thread.ts': 'export const maxSteps = 50',
  'core/store/rows.ts': 'export const rows = []',
  'core/store/store.ts': "export { rows } from './rows.ts'",
  'core/events/events.ts': "import { rows } from '../store/store.ts'\nexport const events = rows",
  'core/api.ts':
    "import { maxSteps } from './domain/thread.ts'\nexport type Api = typeof maxSteps\nexport const inputs = maxSteps",
  'core/engine.ts': "import { events } from './events/events.ts'\nexport const engine = events",
  'electron/main.ts': "import { engine } from '../core/engine.ts'\nexport const host = engine",
  'renderer/client.ts': "import type { Api } from '../core/api.ts'\nexport type Client = Api",
}
const violations: readonly (readonly [rule: string, file: string, source: string])[] = [
  ['core-order-store', 'core/store/upward.ts', "import { events } from '../events/events.ts'\nexport const x = events"],
  ['core-order-store', 'core/store/wiring.ts', "import { inputs } from '../api.ts'\nexport const x = inputs"],
  ['face-only-store', 'core/events/inside.ts', "import { rows } from '../store/rows.ts'\nexport const x = rows"],
  ['face-only-store', 'core/doctor.ts', "import { rows } from './store/rows.ts'\nexport const x = rows"],
  ['domain-imports-zod-only', 'core/domain/disk.ts', "import fs from 'node:fs'\nexport const x = fs"],
  ['core-is-plain-node', 'core/events/shell.ts', "import { app } from 'electron'\nexport const x = app"],
  ['core-is-plain-node', 'core/events/view.ts', "import react from 'react'\nexport const x = react"],
  [
    'electron-hosts-the-engine',
    'electron/deep.ts',
    "import { rows } from '../core/store/store.ts'\nexport const x = rows",
  ],
  [
    'renderer-sees-types-and-domain',
    'renderer/deep.ts',
    "import { engine } from '../core/engine.ts'\nexport const x = engine",
  ],
  [
    'renderer-sees-types-and-domain',
    'renderer/shell.ts',
    "import { host } from '../electron/main.ts'\nexport const x = host",
  ],
  ['renderer-has-no-node', 'renderer/disk.ts', "import fs from 'node:fs'\nexport const x = fs"],
  [
    'renderer-takes-only-types-of-the-api',
    'renderer/api.ts',
    "import { inputs } from '../core/api.ts'\nexport const x = inputs",
  ],
  ['no-cycle', 'core/events/about.ts', "import { y } from './round.ts'\nexport const x = y"],
]

let root = ''
beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'boundaries-'))
  for (const file of ['.dependency-cruiser.mjs', 'tsconfig.json', 'package.json']) {
    cpSync(path.join(repository, file), path.join(root, file))
  }
  symlinkSync(path.join(repository, 'node_modules'), path.join(root, 'node_modules'))
  for (const [file, source] of Object.entries(lawful)) write(file, source)
})
afterAll(() => rmSync(root, { recursive: true }))

function write(file: string, source: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), `${source}\n`)
}

const configSchema = z.object({ default: z.object({ forbidden: z.array(z.object({ severity: z.string() })) }) })

const cruiser = path.join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
const cruise = ['core', 'electron', 'renderer', '--config', '.dependency-cruiser.mjs']

describe('who may import what', () => {
  it('a tree that keeps the rules passes, and all of it is looked at', () => {
    const said = execFileSync(process.execPath, [cruiser, ...cruise], { cwd: root, encoding: 'utf8' })
    expect(said).toMatch(/no dependency violations found \((\d+) modules/)
    expect(Number(/\((\d+) modules/.exec(said)?.[1])).toBeGreaterThanOrEqual(Object.keys(lawful).length)
  })

  it('each planted violation is reported by its rule', () => {
    write('core/events/round.ts', "import { x } from './about.ts'\nexport const y = x")
    for (const [, file, source] of violations) write(file, source)
    const { stdout, status } = spawnSync(process.execPath, [cruiser, ...cruise], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    })
    for (const [rule, file] of violations) expect(stdout).toContain(`error ${rule}: ${file} `)
    expect(status).toBeGreaterThan(0)
  })

  it('the list of rules is not empty and every rule is an error', async () => {
    const config: unknown = await import(pathToFileURL(path.join(repository, '.dependency-cruiser.mjs')).href)
    const { forbidden } = configSchema.parse(config).default
    expect(forbidden.length).toBeGreaterThan(20)
    expect(forbidden.filter(({ severity }) => severity !== 'error')).toEqual([])
  })
})
