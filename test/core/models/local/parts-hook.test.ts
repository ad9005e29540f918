import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../support/engine.ts'

const hook = pathToFileURL(path.resolve(import.meta.dirname, '../../../../core/models/local/parts-hook.ts')).href

function packageIn(folder: string, name: string, says: string): void {
  const own = path.join(folder, 'node_modules/@node-llama-cpp', name)
  fs.mkdirSync(own, { recursive: true })
  fs.writeFileSync(path.join(own, 'package.json'), JSON.stringify({ type: 'module', exports: './index.js' }))
  fs.writeFileSync(path.join(own, 'index.js'), `export const from = '${says}'`)
}

/** Beside the app lie both packages, in the parts one of them and another that was not asked for. */
function importedBy(registers: string): unknown {
  const [app, folder] = [temporaryFolder(), temporaryFolder()]
  packageIn(app, 'linux-x64-vulkan', 'app')
  packageIn(app, 'linux-x64', 'app')
  packageIn(folder, 'linux-x64-vulkan', 'parts')
  packageIn(folder, 'linux-x64', 'parts')
  const parts = JSON.stringify({ folder, names: ['linux-x64-vulkan'] })
  const script = `
    import module from 'node:module'
    const parts = ${parts}
    ${registers}
    const vulkan = await import('@node-llama-cpp/linux-x64-vulkan')
    const usual = await import('@node-llama-cpp/linux-x64')
    process.stdout.write(JSON.stringify([vulkan.from, usual.from]))`
  fs.writeFileSync(path.join(app, 'main.mjs'), script)
  return JSON.parse(execFileSync(process.execPath, ['--no-warnings', 'main.mjs'], { cwd: app, encoding: 'utf8' }))
}

it.each([
  ['where hooks run beside what they serve', `const { resolveFrom } = await import('${hook}'); resolveFrom(parts)`],
  ['where they run on a thread of their own, as in Node 20', `module.register('${hook}', { data: parts })`],
])(
  'a package that was asked for comes from the parts, every other one from where it always did: %s',
  (_how, registers) => {
    expect(importedBy(registers)).toEqual(['parts', 'app'])
  },
)
