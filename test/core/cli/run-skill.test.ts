import { expect, it } from 'vitest'
import { run } from '../../../core/cli/run.ts'
import { folderWith, startEngine, useScriptedModel } from '../../support/engine.ts'
import { scriptedModel } from '../../support/scripted-model.ts'
import { libraryOf, skillOf } from '../skills/skill-files.ts'
import { accessTo, printed } from './support.ts'

it('run --skill is a run of that skill, and prints what run prints', async () => {
  const model = scriptedModel(() => ({ text: 'High at noon.' }))
  const engine = await startEngine({ embedded: { scripted: model }, skills: libraryOf(skillOf('tide')) })
  await useScriptedModel(engine)
  const out = printed(true)
  const asked = { goal: 'when is high tide?', project: folderWith({}), skill: 'tide' }
  expect(await run(accessTo(engine), out.terminal, asked)).toBe(0)
  expect(out.lines()).toMatchObject([{ outcome: 'answered', text: 'High at noon.', steps: 1 }])
  expect(model.requests[0]?.messages[0]?.content).toContain('<skill name="tide"')
  await expect(run(accessTo(engine), out.terminal, { ...asked, skill: 'coral' })).rejects.toMatchObject({
    code: 'skill.not_found',
  })
})
