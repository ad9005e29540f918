import type { Json } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import type { ParameterBook } from './parameter-book.ts'
import { type ListSource, type Source, sourcesIn } from './source.ts'
import type { GoalForm, GoalView } from './span.ts'
import { goalView } from './span.ts'

/** What is known before a call, by thread. */
export interface Workspace {
  readonly goals: Readonly<Record<GoalForm, readonly GoalView[]>>
  readonly book: ParameterBook
  readonly scalars: readonly Source[]
  readonly lists: readonly ListSource[]
  /** Sources that say the same as an earlier one, by its code. */
  readonly alternatives: ReadonlyMap<string, readonly string[]>
  add(scalars: readonly Source[], lists: readonly ListSource[]): void
  /** Throws once the time is over. */
  checkTime(): void
}

export function createWorkspace(goals: readonly string[], book: ParameterBook, checkTime: () => void): Workspace {
  const scalars: Source[] = []
  const lists: ListSource[] = []
  const alternatives = new Map<string, readonly string[]>()
  const byValues = new Map<string, Source>()
  const views = (form: GoalForm) => goals.map((goal) => goalView(goal, form))
  return {
    goals: { '': views(''), lower: views('lower'), slug: views('slug') },
    ...{ book, scalars, lists, alternatives, checkTime },
    add(more, moreLists) {
      for (const source of more) {
        const key = JSON.stringify(source.values)
        const first = byValues.get(key)
        if (first !== undefined) {
          const kept = alternatives.get(first.code) ?? []
          if (first.leaf !== source.leaf && kept.length < 4) alternatives.set(first.code, [...kept, source.code])
          continue
        }
        // What is the same in all threads explains nothing that a constant does not.
        if (source.values.every((value) => value === source.values[0]) || scalars.length >= limits.minerSources)
          continue
        byValues.set(key, source)
        scalars.push(source)
      }
      lists.push(...moreLists.slice(0, limits.minerLists - lists.length))
    },
  }
}

/** Samples of one place in the program: one a thread, or one an iteration. */
export interface Frame {
  readonly workspace: Workspace
  /** The thread of each sample. */
  readonly owners: readonly number[]
  readonly sources: readonly Source[]
}

/** Everything that is known by thread, in each of its samples, and what only the samples know. */
export function frameOf(workspace: Workspace, owners: readonly number[], own: readonly Source[] = []): Frame {
  const outer = [...workspace.book.sources().flatMap(withForms), ...workspace.scalars]
  const spread = outer.map((source) => ({ ...source, values: owners.map((thread) => source.values[thread] ?? null) }))
  return { workspace, owners, sources: [...spread, ...own] }
}

function withForms(parameter: Source): readonly Source[] {
  return sourcesIn(parameter).scalars.filter(({ form }) => form !== 'column 1')
}

export function goalsOf({ workspace, owners }: Frame, form: GoalForm): readonly GoalView[] {
  const views = workspace.goals[form]
  return owners.flatMap((thread) => views[thread] ?? [])
}

/** What one argument of a call was, in each sample. */
export interface Argument {
  /** The key under which it is given: `label`, `path`. */
  readonly key: string
  readonly targets: readonly Json[]
  readonly isWrite: boolean
  /** A sum: every number that is a text goes without its commas. */
  readonly isSum: boolean
}
