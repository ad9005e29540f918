import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Candidate } from '../../domain/candidate.ts'
import { AppError } from '../../domain/error.ts'
import type { Redactor } from '../../domain/leaks/redactor.ts'
import { limits } from '../../domain/limits.ts'
import type { Events } from '../../events/events.ts'
import type { Store } from '../../store/store.ts'
import type { SkillCollection } from '../collection/collection.ts'
import { parseSkill, type SkillFile } from '../file/parse.ts'
import { rewordedText } from '../file/write.ts'
import { alreadyDecided, notFound, renamed, tooLate, unreadable } from './refusals.ts'

export interface Wording {
  /** Of the candidate. */
  readonly id: string
  /** Its own where none is given. */
  readonly name?: string | undefined
  readonly description: string
  readonly body: string
  /** On whose record it stands. */
  readonly threadId: string
}

interface RewordParts {
  readonly store: Store
  readonly events: Events
  readonly collection: Pick<SkillCollection, 'library'>
  readonly redactor: Redactor
  readonly now: () => number
}

/**
 * Other words for a candidate that waits: name, description and text. What it is chosen by and what it runs stay as they were tried,
 * and so does where they come from. A decision on the bytes before is one on something else. @throws AppError candidate.not_found |
 * decided | expired; skill.invalid for words that are none
 */
export function createReword({ store, events, collection, redactor, now }: RewordParts): (to: Wording) => Candidate {
  function free(name: string, { id, kind, projectId, name: before }: Candidate): void {
    if (name === before) return
    if (kind !== 'new') throw renamed({ name: before }, name)
    const waiting = store.candidates.pending(mostPending).some((other) => other.id !== id && other.name === name)
    if (!waiting && collection.library(projectId).get(name) === undefined) return
    throw invalid(`another skill, or a proposal of one, is called ${name}.`)
  }

  return ({ id, name: asked, description, body, threadId }) => {
    const candidate = store.candidates.get(id)
    const texts = store.candidates.texts(id)
    if (candidate === undefined || texts === undefined) throw notFound(id)
    const name = asked ?? candidate.name
    const before = read(texts.content, candidate.name)
    const content = redactor.text(
      rewordedText(Buffer.from(texts.content), { name, description: oneLine(description), body: `\n${body.trim()}\n` }),
    )
    const sha256 = hash('sha256', content)
    if (candidate.sha256 === sha256) return candidate
    if (candidate.state !== 'pending') throw alreadyDecided(candidate)
    if (candidate.expiresAt <= now()) throw tooLate(candidate)
    free(name, candidate)
    const after = read(content, name)
    if (!isDeepStrictEqual(kept(before), kept(after))) throw invalid('these words would change more than words.')
    // Evidence names lines of the file.
    const [old, fresh] = [texts.content.split('\n'), content.split('\n')]
    const isMoved = texts.evidence.some(({ line }) => line !== null && old[line - 1] !== fresh[line - 1])
    if (isMoved) throw invalid('the description must be one short line.')
    events.commit((append) => {
      store.candidates.edit(id, { content, sha256, name })
      append(threadId, { kind: 'skill.proposed', data: { candidateId: id, kind: candidate.kind, name, sha256 } })
    })
    return { ...candidate, name, sha256 }
  }
}

const mostPending = 1_000

function read(content: string, name: string): SkillFile {
  const verdict = parseSkill(Buffer.from(content), name)
  if (verdict.outcome === 'reject') throw unreadable(verdict.diagnostics)
  return verdict.skill
}

/** All but its words. */
function kept({ fields, activation, snippets, credentials, hosts, isOnlyByName }: SkillFile) {
  const { name: _name, description: _description, ...others } = fields
  return { others, activation, snippets, credentials, hosts, isOnlyByName }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, limits.skillDescriptionCharacters)
}

function invalid(why: string): AppError {
  return new AppError('skill.invalid', {
    message: why,
    userMessage: `It cannot be called so: ${why} Nothing was changed.`,
  })
}
