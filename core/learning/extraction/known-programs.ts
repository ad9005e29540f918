import type { Candidate } from '../../domain/candidate.ts'
import type { SkillVersionRow, Store } from '../../store/store.ts'
import type { KnownProgram } from '../miner/miner.ts'

/** What was proposed before, and what became of it. */
export interface KnownPrograms {
  readonly programs: readonly KnownProgram[]
  /** Skills of which a proposal waits. */
  readonly pending: ReadonlySet<string>
  /** Functions that failed in the world as it is now. */
  readonly fallen: readonly FallenProgram[]
}

export interface FallenProgram {
  readonly program: KnownProgram
  /** Epoch ms: from here on it failed. */
  readonly since: number
}

/** More proposals of one project are not looked at: the oldest. */
const mostPrograms = 500

export function knownPrograms(
  store: Pick<Store, 'learning' | 'candidates' | 'skills' | 'threads'>,
  projectId: string,
): KnownPrograms {
  const programs: KnownProgram[] = []
  const fallen: FallenProgram[] = []
  const live = new Set<string>()
  for (const mined of store.learning.programs(projectId, mostPrograms)) {
    const candidate = store.candidates.get(mined.candidateId)
    if (candidate === undefined) continue
    const became = becameOf(candidate)
    // As it is called by now: a model may have given it another name before it was decided on.
    const { name: skill } = candidate
    // Of one skill the newest stands for what is live.
    if (became.state === 'live' && live.has(skill)) continue
    const { fingerprint, sequence, activation, support } = mined
    const program: KnownProgram = { skill, fingerprint, sequence, activation, support, state: became.state }
    programs.push(program)
    if (became.state === 'live') live.add(skill)
    if (became.failedSince !== null) fallen.push({ program, since: became.failedSince })
  }
  const pending = new Set(programs.flatMap(({ skill, state }) => (state === 'pending' ? [skill] : [])))
  return { programs, pending, fallen }

  function becameOf(candidate: Candidate) {
    if (candidate.state === 'pending') return { state: 'pending', failedSince: null } as const
    if (candidate.state !== 'approved') return { state: 'rejected', failedSince: null } as const
    const row = store.skills.byName(candidate.name, projectId)
    const version = row && store.skills.versions(row.id).find((each) => each.candidateId === candidate.id)
    if (version !== undefined && version.rolledBackAt !== null)
      return { state: 'rolledBack', failedSince: firstFailure(version) } as const
    // Somebody took it out of use.
    return row !== undefined && row.state !== 'active'
      ? ({ state: 'rejected', failedSince: null } as const)
      : ({ state: 'live', failedSince: null } as const)
  }

  function firstFailure({ rolledBackThreads, rolledBackAt }: SkillVersionRow): number | null {
    const ends = rolledBackThreads.flatMap((id) => store.threads.get(id)?.createdAt ?? [])
    return ends.length === 0 ? rolledBackAt : Math.min(...ends)
  }
}
