import type { SkillDetail } from '../../../core/domain/skill.ts'
import { Note } from '../../components/card.tsx'
import { useApp } from '../../state/store.ts'
import { Diagnostics } from './diagnostics.tsx'
import { MendCard } from './mend-card.tsx'

interface ProblemsTabProps {
  readonly skill: SkillDetail
  onMended(): Promise<void>
}

/** What is the matter with its file, though it loaded. */
export function ProblemsTab({ skill, onMended }: ProblemsTabProps) {
  const problem = useApp((state) => state.skillProblems?.find(({ file }) => file === skill.file))
  const diagnostics = problem?.diagnostics ?? skill.diagnostics
  if (diagnostics.length === 0)
    return (
      <div className="sk-note">
        <Note status="done">Nothing is the matter with its file.</Note>
      </div>
    )
  return (
    <div className="padded">
      <p className="small dim">It loaded, and is used as it is. These are worth mending.</p>
      <Diagnostics list={diagnostics} text={skill.content} />
      {problem && <MendCard problem={problem} onMended={onMended} />}
    </div>
  )
}
