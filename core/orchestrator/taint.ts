import { createSaid, type Origin } from '../capabilities/capabilities.ts'
import type { EventData } from '../domain/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts'
import { resultText } from '../domain/model.ts'
import { type Source, sourceOf, withSources } from '../domain/source.ts'

/**
 * What a thread has read that was not from a person, and what people said: a fold over its events, so that after a crash it is
 * what it was before. Every event that the thread is told of, or makes, passes `note` once.
 */
export interface Taint extends Origin {
  note(event: EventData): void
}

export interface TaintStart {
  readonly trustsProject: boolean
  readonly said: readonly string[]
}

/** `said`: what people said beside the messages that `note` is told of. */
export function createTaint({ trustsProject, said: before }: TaintStart): Taint {
  const said = createSaid()
  for (const text of before) said.say(text)
  let sources: readonly Source[] = []
  const asked = new Map<string, JsonObject>()
  /** Its system message holds the text of a skill, as one of another thread is told it later. */
  let isRun = false
  /** The first that it is told is a brief: what people said of it comes with `said`. */
  let isBriefed = false
  const read = (more: readonly Source[]) => {
    sources = withSources(sources, more)
  }
  return {
    said,
    trustsProject,
    get sources() {
      return sources
    },
    note(event) {
      switch (event.kind) {
        case 'thread.created':
          isRun = event.data.run !== undefined
          isBriefed = event.data.mission !== undefined
          break
        case 'message.added': {
          const { role, origin, sources: foreign = [] } = event.data
          read(foreign)
          // How the addresses of a service are built, by a skill that a person trusts; not what to do there.
          const isSkills = origin === 'skills' || (origin === 'orientation' && isRun)
          if (isSkills && foreign.length === 0) said.know(event.body.content)
          // The question of a child is its parent's, in the words of a model: with sources it explains nothing.
          if (role !== 'user' || origin !== undefined) break
          if (foreign.length === 0 && !isBriefed) said.say(event.body.content)
          isBriefed = false
          break
        }
        case 'docs.retrieved':
          read(event.data.docs.filter((doc) => doc.untrusted).map(({ title }) => sourceOf('memory', title)))
          break
        case 'action.finished':
          if (event.data.source !== undefined) read([event.data.source])
          else if (event.data.ok && event.data.name === 'load_skill') said.know(resultText(event.body.result))
          break
        case 'child.finished':
          read(event.data.sources ?? [])
          break
        case 'approval.requested':
          asked.set(event.data.approvalId, objectOf(event.body.arguments))
          break
        case 'approval.decided': {
          if (event.data.state !== 'approved') break
          const edited = event.body && objectOf(event.body.arguments)
          said.approve(event.data.name, edited ?? asked.get(event.data.approvalId) ?? {})
          break
        }
      }
    },
  }
}

function objectOf(value: Json): JsonObject {
  return isJsonObject(value) ? value : {}
}
