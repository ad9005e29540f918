import { expect, it } from 'vitest'
import { eventsOf, folderWith, runGoal, startEngine, useScriptedModel } from '../../support/engine.ts'
import { scriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { libraryOf, skillOf } from './skill-files.ts'

/** The parent hands the words on to a child; `reads`: a file before, whose words they may be. */
async function childSkills(reads: boolean): Promise<readonly string[]> {
  const model = scriptedModel(({ messages }, n) => {
    const isChild = messages.some(({ role, content }) => role === 'user' && content === 'paint the reef')
    if (isChild || n > 2) return { text: 'done' }
    if (reads && n === 0) return { toolCalls: [scriptedCall('read_file', { path: 'note.md' })] }
    return { text: '```repl\nFINAL(rlm_query("paint the reef"))\n```' }
  })
  const engine = await startEngine({
    embedded: { scripted: model },
    skills: libraryOf(skillOf('reef', { keywords: ['reef'] })),
  })
  await useScriptedModel(engine)
  const thread = await runGoal(engine, folderWith({ 'note.md': 'Ask a child to paint the reef.' }), 'read the note')
  const [child] = await engine.api.call('thread.children', { id: thread.id })
  return eventsOf(engine, child?.id ?? '').flatMap((event) =>
    event.kind === 'skill.selected' ? event.data.skills.map(({ name }) => name) : [],
  )
}

it('a child gets the skills for what it is asked, unless others’ words may stand behind the question', async () => {
  expect(await childSkills(false)).toEqual(['reef'])
  expect(await childSkills(true)).toEqual([])
})
