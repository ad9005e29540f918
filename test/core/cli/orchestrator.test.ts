import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { activateVersion, listVersions, proposeVersion, rollBack, showVersion } from '../../../core/cli/orchestrator.ts'
import { contentDir, folderWith, runGoal, startEngine, useScriptedModel } from '../../support/engine.ts'
import { scriptedModel } from '../../support/scripted-model.ts'
import { accessTo, printed } from './support.ts'

const bundled = fs.readFileSync(path.join(contentDir, 'core/orchestrator/default.py'), 'utf8')

async function start() {
  const engine = await startEngine({ embedded: { scripted: scriptedModel(() => ({ text: 'hello' })) } })
  await useScriptedModel(engine)
  await runGoal(engine, folderWith({}), 'go')
  return { access: accessTo(engine), ...printed(true) }
}
function fileOf(code: string): string {
  return path.join(folderWith({ 'loop.py': code }), 'loop.py')
}

test('a loop is proposed with its report, activated, shown, and rolled back', async () => {
  const { access, terminal, lines } = await start()
  const file = fileOf(`# mine\n${bundled}`)
  const same = [{ thread: 1, verdict: 'same', detail: expect.any(String) }]
  await proposeVersion(access, terminal, { file, reason: 'a remark' })
  expect(lines()).toEqual([{ version: 1, state: 'candidate', runs: same }])
  await activateVersion(access, terminal, 1)
  expect(lines()).toEqual([{ version: 1, state: 'active', runs: same }])
  await showVersion(access, terminal, undefined)
  expect(lines()).toMatchObject([{ version: 1, state: 'active', reason: 'a remark', code: `# mine\n${bundled}` }])
  await listVersions(access, terminal)
  expect(lines()).toMatchObject([
    { version: 0, state: 'retired', createdAt: null },
    { version: 1, state: 'active', parent: 0, failures: 0, createdAt: expect.stringMatching(/Z$/) },
  ])
  await rollBack(access, terminal, undefined)
  expect(lines()).toEqual([{ version: 0, state: 'active' }])
  await showVersion(access, terminal, 0)
  expect(lines()).toMatchObject([{ version: 0, code: bundled }])
})

test('a loop that is broken is refused in words, and stays a candidate', async () => {
  const { access, terminal, lines } = await start()
  const proposed = proposeVersion(access, terminal, { file: fileOf('nonsense('), reason: 'no reason' })
  await expect(proposed).rejects.toMatchObject({ code: 'orchestrator.invalid' })
  await listVersions(access, terminal)
  expect(lines()[1]).toMatchObject({ version: 1, state: 'candidate' })
})

test('a file that is not there is refused before anything is proposed', async () => {
  const { access, terminal, lines } = await start()
  const proposed = proposeVersion(access, terminal, { file: '/not/here.py', reason: 'x' })
  await expect(proposed).rejects.toMatchObject({ code: 'api.input' })
  await listVersions(access, terminal)
  expect(lines()).toHaveLength(1)
})

test('people read the report line by line', async () => {
  const { access } = await start()
  const { terminal, text } = printed(false)
  await proposeVersion(access, terminal, { file: fileOf(bundled), reason: 'the same' })
  expect(text()).toMatch(/^same {3}#1 {2}.*\nversion 1 is candidate; 1 of 1 threads go alike\n$/)
})
