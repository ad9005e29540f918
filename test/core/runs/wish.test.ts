import { expect, test } from 'vitest'
import { defaultSettings } from '../../../core/domain/settings.ts'
import { makeWish } from '../../../core/runs/wish.ts'
import { activeOf } from '../../../core/skills/skills.ts'
import { folderWith, startEngine } from '../../support/engine.ts'
import { skillOf } from '../skills/skill-files.ts'

test('a run is held to the ceiling of whoever asks for it, without the text that was told there', async () => {
  const engine = await startEngine()
  const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
  const [own, far, near] = [skillOf('own'), skillOf('far', { trust: 'installed' }), skillOf('near')].map(activeOf)
  const wish = await makeWish(
    {
      store: engine.store,
      memory: { retrieveDocs: async () => [] },
      prompts: { run: () => '' },
      skills: { active: () => [far, near].flatMap((skill) => skill ?? []) },
      settings: () => defaultSettings,
      actionNames: [],
      gate: () => () => null,
      now: () => 0,
    },
    {
      ...{ skill: skillOf('own'), objective: 'look', projectId, callerId: 'thr_1' },
      around: { conversation: '', sources: [] },
      signal: new AbortController().signal,
    },
  )
  expect(own?.tokens).toBeGreaterThan(0)
  expect(wish.skills).toEqual([own, { ...far, tokens: 0 }])
})
