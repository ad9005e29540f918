import { routeHash, skillRoute } from '../../routes.ts'
import { useApp } from '../../state/store.ts'

/** The skills that a thread works with, each with what it scored; nothing where there are none. */
export function SkillChips({ threadId }: { readonly threadId: string }) {
  const skills = useApp((state) => state.known.skills[threadId])
  if (skills === undefined || skills.length === 0) return null
  return (
    <ul className="skill-chips" aria-label="Skills">
      <li className="mute small">Skills</li>
      {skills.map(({ id, name, version, score, tokens, trust, isForced }) => (
        <li key={name}>
          <a
            className="chip line"
            href={routeHash(skillRoute(id))}
            title={`Version ${version}, ${trust}, ${tokens.toLocaleString('en')} tokens. Opens the skill`}
          >
            {name} <span className="mute">v{version}</span>{' '}
            <span className="mute num">{isForced ? 'named' : score}</span>
            {trust === 'installed' && <span className="mute">installed: changes ask</span>}
          </a>
        </li>
      ))}
    </ul>
  )
}
