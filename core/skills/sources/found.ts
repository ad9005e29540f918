import type { SkillDiagnostic, SkillProblem, SkillSource, SkillTrust } from '../../domain/skill.ts'
import type { Diagnostic } from '../file/diagnostic.ts'
import type { SkillFile } from '../file/parse.ts'

/** A skill that a source has. */
export interface FoundSkill {
  readonly skill: SkillFile
  /** The whole file. */
  readonly content: string
  /** Of its bytes, and so of `content` in UTF-8. */
  readonly sha256: string
  /** Absolute; of a manifest, its URL and the number of the record. */
  readonly file: string
  /** Its own, with what lies beside the file; null where it has none. */
  readonly folder: string | null
  /** Of its source, in words. */
  readonly place: string
  readonly trust: SkillTrust
  readonly source: SkillSource
  readonly diagnostics: readonly Diagnostic[]
}

/** What sources have: of each name one skill, and everything that is not used or has flaws. */
export interface SkillScan {
  /** In the order of their names. */
  readonly found: readonly FoundSkill[]
  readonly problems: readonly SkillProblem[]
}

/** What is said of a source beside the verdicts on a file: a closed list of its own (RULES 31). */
export type SourceCode = 'E_SECRET' | 'E_UNREADABLE' | 'E_LINK' | 'E_RECORD' | 'W_REFUSED' | 'W_SHADOWED' | 'W_TOO_MANY'

/** A file or folder of which nothing could be read. */
export function unusable(at: Pick<SkillProblem, 'file' | 'place'>, code: SourceCode, message: string): SkillProblem {
  const diagnostics: readonly SkillDiagnostic[] = [{ code, line: null, message }]
  return { file: at.file, place: at.place, kind: 'rejected', diagnostics, sha256: '', mend: null }
}

/** Sources in their order: of two skills of one name the later one is used, and the other one is shown (RULES 20). */
export function mergeSkills(scans: readonly SkillScan[]): SkillScan {
  const all = scans.flatMap(({ found }) => found)
  const winners = new Map(all.map((each) => [each.skill.name, each]))
  const lost = all.flatMap((each) => {
    const winner = winners.get(each.skill.name)
    return winner === undefined || winner === each ? [] : [shadowedBy(winner, each)]
  })
  return { found: inOrder([...winners.values()]), problems: [...scans.flatMap(({ problems }) => problems), ...lost] }
}

/** Of one source: the skill that is called like its folder is used, else the first. */
export function withoutTwins(found: readonly FoundSkill[], problems: readonly SkillProblem[]): SkillScan {
  const isTidy = ({ diagnostics }: FoundSkill) => diagnostics.every(({ code }) => code !== 'W_NAME_MISMATCH')
  const byRank = [...found.filter((each) => !isTidy(each)).reverse(), ...found.filter(isTidy).reverse()]
  return mergeSkills([{ found: byRank, problems }])
}

function shadowedBy(winner: FoundSkill, loser: FoundSkill): SkillProblem {
  const { file, place, sha256, skill } = loser
  const which = winner.sha256 === sha256 ? 'the same file' : 'another skill'
  const message = `There is ${which} called ${skill.name} in ${winner.place}: ${winner.file}. That one is used, and this one is not. Rename one of them to have both.`
  return {
    file,
    place,
    kind: 'shadowed',
    diagnostics: [{ code: 'W_SHADOWED', line: null, message }],
    sha256,
    mend: null,
  }
}

function inOrder(found: readonly FoundSkill[]): readonly FoundSkill[] {
  return found.toSorted((a, b) => (a.skill.name < b.skill.name ? -1 : 1))
}
