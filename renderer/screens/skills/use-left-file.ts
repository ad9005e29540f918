import { useCallback, useState } from 'react'
import type { SkillDetail } from '../../../core/domain/skill.ts'
import { readSkill } from '../../state/skills.ts'
import { useLoad } from '../../state/use-load.ts'
import { readFromFile } from './words.ts'

/** The file that a skill was read from before it was edited here, and that it differs from now; null while none is known. */
export function useLeftFile(skill: SkillDetail): string | null {
  const { id, file } = skill
  const version = file === null ? readFromFile(skill) : null
  const [left, setLeft] = useState<{ readonly of: string; readonly file: string | null } | null>(null)
  const of = `${id} ${version}`
  // A fact that is only worth telling: where it cannot be read, the place of the version stands as it is.
  useLoad(
    useCallback(async () => {
      if (version !== null) setLeft({ of, file: (await readSkill(id, version)).file })
    }, [id, version, of]),
  )
  return left?.of === of ? left.file : null
}
