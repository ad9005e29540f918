import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { folderWith, startEngine } from '../support/engine.ts'

test('a folder that is gone, no folder any more or a loop of links is listed as not available; the others are as before', async () => {
  const engine = await startEngine()
  const kept = folderWith({ 'a.txt': 'x' })
  const spoilt = { gone: folderWith({}), file: folderWith({}), loop: folderWith({}) }
  for (const folder of [kept, ...Object.values(spoilt)]) await engine.api.call('project.open', { folder })
  for (const folder of Object.values(spoilt)) fs.rmSync(folder, { recursive: true })
  fs.writeFileSync(spoilt.file, '')
  fs.symlinkSync(path.basename(spoilt.loop), spoilt.loop)
  const projects = await engine.api.call('project.list', {})
  expect(new Map(projects.map(({ folder, available }) => [folder, available]))).toEqual(
    new Map([
      [kept, true],
      [spoilt.gone, false],
      [spoilt.file, false],
      [spoilt.loop, false],
    ]),
  )
})
