import { previewOf } from '../domain/event.ts'
import type { ModelRef } from '../domain/model.ts'
import { type Source, sourceOf } from '../domain/source.ts'
import type { Models } from '../models/models.ts'
import type { HostedTold, SkillsTold } from '../skills/skills.ts'
import type { LoopContext } from './loop-context.ts'
import type { Checkpoint } from './loop-inputs.ts'

/** What a model is told before a step: what a person said, notes of the loop, what the project and its memory hold. */
export interface Telling {
  /** Nothing is staged before its last await, and the order is that of the record: a run from the record reads the same. */
  before(checkpoint: Checkpoint, ref: ModelRef): void | Promise<void>
  /** A step that is run again, perhaps by another model. To be called before its restart is staged. */
  again(ref: ModelRef): void
}

export function createTelling(context: LoopContext, models: Models): Telling {
  const { conversation, journal } = context
  let contextAt = -1

  async function addContext(checkpoint: Checkpoint, ref: ModelRef): Promise<void> {
    const isFirst = contextAt !== checkpoint.step
    const begins = isFirst && checkpoint.step === 0
    contextAt = checkpoint.step
    const asked = begins ? [conversation.lastAsked] : []
    asked.push(...addInjected())
    const surroundings = begins ? await context.surroundings() : ''
    const hosted = begins ? await context.hostedSkills() : null
    const known = asked.length > 0 ? await context.knowledge(conversation.lastAsked) : null
    asked.push(...addInjected())
    if (isFirst) for (const note of checkpoint.notes) stageNote(note, 'nudge')
    if (hosted !== null) stageHosted(hosted)
    if (asked.length > 0) stageSkills({ text: asked.join('\n\n'), step: checkpoint.step, isFirst: begins })
    stageNote([surroundings, untoldFunctions(ref)].filter((text) => text !== '').join('\n\n'), 'surroundings')
    if (known === null) return
    journal.stage({ kind: 'docs.retrieved', data: { step: checkpoint.step, docs: known.docs } })
    stageNote(known.text, 'knowledge')
  }

  /** What a model works with that calls no actions; '' where it does, or where the transcript says it: a summary leaves it out. */
  function untoldFunctions(ref: ModelRef): string {
    if (!context.runsCode || context.tools.length === 0 || models.callsActions(ref)) return ''
    const functions = context.functions()
    return conversation.messages.some(({ role, content }) => role === 'system' && content.includes(functions))
      ? ''
      : functions
  }

  function stageSkills(said: { readonly text: string; readonly step: number; readonly isFirst: boolean }): void {
    // What a child is asked are a model's words: others' texts may stand behind them, and choose no skill.
    const isChosenByOthers = context.thread.parentId !== null && context.taint.sources.length > 0
    const told = context.skills(isChosenByOthers ? { ...said, text: '' } : said)
    if (told !== null) stageTold(told)
  }

  function stageHosted({ catalogue, joins, problems }: HostedTold): void {
    for (const text of problems) journal.stage({ kind: 'status', data: { text } })
    stageNote(catalogue, 'catalogue')
    if (joins !== null) stageTold(joins)
  }

  function stageTold(told: SkillsTold): void {
    journal.stage({ kind: 'skill.selected', data: told.data, body: told.body })
    const foreign = told.data.skills.filter(({ trust }) => trust !== 'trusted')
    stageNote(
      told.text,
      'skills',
      foreign.map(({ name }) => sourceOf('skill', name)),
    )
  }

  /** What a person said meanwhile is on record already. */
  function addInjected(): readonly string[] {
    const said = context.takeInjected()
    for (const content of said) {
      conversation.addUser(content)
      context.taint.note({ kind: 'message.added', data: { role: 'user', preview: '' }, body: { content } })
    }
    return said
  }

  function stageNote(
    content: string,
    origin: 'nudge' | 'catalogue' | 'skills' | 'surroundings' | 'knowledge',
    sources: readonly Source[] = [],
  ): void {
    if (content === '') return
    if (origin === 'nudge') conversation.addNote(content)
    else if (origin === 'skills' || origin === 'catalogue') conversation.addSkills(content)
    else conversation.addContext(content)
    const role = origin === 'nudge' ? 'user' : 'system'
    const data = { role, origin, preview: previewOf(content), ...(sources.length > 0 && { sources }) } as const
    journal.stage({ kind: 'message.added', data, body: { content } })
  }

  return {
    before(checkpoint, ref) {
      const isTold = checkpoint.step === 0 || checkpoint.notes.length > 0 || context.injectedCount() > 0
      return isTold ? addContext(checkpoint, ref) : stageNote(untoldFunctions(ref), 'surroundings')
    },
    again: (ref) => stageNote(untoldFunctions(ref), 'surroundings'),
  }
}
