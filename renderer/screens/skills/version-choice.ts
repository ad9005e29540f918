import type { SkillDetail } from '../../../core/domain/skill.ts'

/** One more, or one less; a third takes the place of the one that was picked first. */
export function choose(chosen: readonly number[], version: number): readonly number[] {
  if (chosen.includes(version)) return chosen.filter((each) => each !== version)
  return [...chosen.slice(-1), version]
}

/**
 * The older and the newer of what is compared: what was picked, else the live version and what it was made from; of a first
 * version that is live the newest one that was made after it.
 */
export function chosenPair(
  chosen: readonly number[],
  { version, versions }: Pick<SkillDetail, 'version' | 'versions'>,
): readonly [number, number] | null {
  const [first, second] = chosen
  if (first !== undefined && second !== undefined) return first < second ? [first, second] : [second, first]
  const one = first ?? version
  const parent = versions.find((each) => each.version === one)?.parent ?? null
  const isThere = versions.some((each) => each.version === parent)
  const newest = Math.max(...versions.map((each) => each.version))
  const other = first !== undefined && first !== version ? version : isThere ? parent : newest
  if (other === null || other === one) return null
  return one < other ? [one, other] : [other, one]
}
