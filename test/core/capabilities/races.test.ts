import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { useProject } from './actions/project.ts'
import { listing } from './outside.ts'

const project = useProject()
const races = Number(process.env.THREADSMITH_RACES ?? 500)

/** Another process that makes folders, and a file, into links that lead out and back again, as fast as it can. */
const swapper = `
  const fs = require('node:fs')
  const [, folder, outside] = process.argv
  const parent = process.ppid
  const quiet = (work) => { try { work() } catch {} }
  // Ends with its parent, however that ends.
  while (process.ppid === parent) {
    for (const [name, target] of [['docs', outside], ['docs/deep', outside + '/deep'], ['docs/a.txt', outside + '/canary.txt']]) {
      const place = folder + '/' + name
      quiet(() => fs.renameSync(place, folder + '/kept'))
      quiet(() => fs.symlinkSync(target, place))
      quiet(() => fs.unlinkSync(place))
      quiet(() => fs.renameSync(folder + '/kept', place))
      // Long enough at times for a call to come past its first look.
      const until = performance.now() + Math.random() * 4
      while (performance.now() < until);
    }
  }
`

const attempts = [
  ['write_file', { path: 'docs/new.txt', content: 'escaped', overwrite: true }],
  ['write_file', { path: 'docs/deep/more/new.txt', content: 'escaped', overwrite: true }],
  ['write_file', { path: 'docs/a.txt', content: 'escaped', overwrite: true }],
  ['patch_file', { path: 'docs/a.txt', edits: [{ find: 'e', replace: 'E', all: true }] }],
  ['delete', { path: 'docs/new.txt' }],
  ['delete', { path: 'docs/deep/canary.txt' }],
  ['move', { from: 'mine.txt', to: 'docs/deep/mine.txt', overwrite: true }],
  ['move', { from: 'docs/deep/mine.txt', to: 'mine.txt', overwrite: true }],
] as const

it(`links swapped in while files are written lead nowhere, ${races} times`, {
  timeout: 60_000 + races * 60,
}, async () => {
  const outside = path.join(project.base, 'outside')
  await mkdir(path.join(outside, 'deep'), { recursive: true })
  await writeFile(path.join(outside, 'canary.txt'), 'canary e')
  await writeFile(path.join(outside, 'deep', 'canary.txt'), 'canary e')
  await project.write({ 'docs/a.txt': 'mine e', 'docs/deep/b.txt': 'mine', 'mine.txt': 'mine' })
  const { dataDir } = project.bin
  const before = await listing(project.base, [project.folder, dataDir])
  const child = spawn(process.execPath, ['-e', swapper, project.folder, outside], { stdio: 'ignore' })
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  onTestFinished(end)

  const outcomes = new Map<string, number>()
  for (let race = 0; race < races; race += 1) {
    const [name, asked] = attempts[race % attempts.length] ?? attempts[0]
    const outcome = await project.run(name, asked, { callKey: `t1/1/${race}` }).then(
      () => 'done',
      (error) => String(error.code ?? error),
    )
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    if (race % 100 === 0) expect(await listing(project.base, [project.folder, dataDir])).toEqual(before)
  }
  await end()
  if (process.env.THREADSMITH_RACES) process.stdout.write(`${JSON.stringify([...outcomes])}\n`)
  expect(await listing(project.base, [project.folder, dataDir])).toEqual(before)
  expect(await readFile(path.join(outside, 'canary.txt'), 'utf8')).toBe('canary e')
  // A race that is never won shows nothing: some calls went through, and some met a link or nothing.
  expect(outcomes.get('done') ?? 0).toBeGreaterThan(races / 50)
  expect(races - (outcomes.get('done') ?? 0)).toBeGreaterThan(races / 50)
  for (const outcome of outcomes.keys()) expect(outcome).toMatch(/^(done|action\.|approval\.stale|trash\.)/)
})
