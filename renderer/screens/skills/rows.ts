import type { Candidate } from '../../../core/domain/candidate.ts'
import type { SkillHeader, SkillProblem } from '../../../core/domain/skill.ts'
import { problemName, whyNotText } from './words.ts'

export const listViews = ['all', 'active', 'candidates', 'problems'] as const
export type ListView = (typeof listViews)[number]

/** One line of the list. `key` is what the address names it by. */
export type SkillRow =
  | { readonly kind: 'skill'; readonly key: string; readonly name: string; readonly skill: SkillHeader }
  | { readonly kind: 'candidate'; readonly key: string; readonly name: string; readonly candidate: Candidate }
  | { readonly kind: 'problem'; readonly key: string; readonly name: string; readonly problem: SkillProblem }

export interface SkillShelf {
  readonly skills: readonly SkillHeader[]
  readonly candidates: readonly Candidate[]
  readonly problems: readonly SkillProblem[]
}

/** Of a file that is no skill: what no id or name begins with. */
export function problemKey(file: string): string {
  return `~${file}`
}

/** What can be used, the last used first; then what waits or did not load; then what is out of use. */
export function rowsOf(
  { skills, candidates, problems }: SkillShelf,
  view: ListView,
  text: string,
): readonly SkillRow[] {
  const usable = skills.filter((skill) => whyNotText(skill) === null)
  const rest = skills.filter((skill) => whyNotText(skill) !== null)
  const waiting = candidates.map(
    (candidate): SkillRow => ({ kind: 'candidate', key: candidate.id, name: candidate.name, candidate }),
  )
  const files = (list: readonly SkillProblem[]) =>
    list.map(
      (problem): SkillRow => ({
        ...{ kind: 'problem', key: problemKey(problem.file), name: problemName(problem.file) },
        problem,
      }),
    )
  const all = {
    all: () => [
      ...lastUsedFirst(usable),
      ...waiting,
      ...files(problems.filter(({ kind }) => kind === 'rejected')),
      ...lastUsedFirst(rest),
    ],
    active: () => lastUsedFirst(usable),
    candidates: () => waiting,
    problems: () => files(problems),
  }[view]()
  const words = text.toLowerCase().split(/\s+/)
  return all.filter((row) => words.every((word) => textOf(row).includes(word)))
}

function lastUsedFirst(skills: readonly SkillHeader[]): readonly SkillRow[] {
  return skills
    .toSorted((a, b) => (b.lastUsedAt ?? 0) - (a.lastUsedAt ?? 0) || (a.name < b.name ? -1 : 1))
    .map((skill): SkillRow => ({ kind: 'skill', key: skill.id, name: skill.name, skill }))
}

function textOf(row: SkillRow): string {
  const more = row.kind === 'skill' ? row.skill.description : row.kind === 'problem' ? row.problem.file : ''
  return `${row.name} ${more}`.toLowerCase()
}
