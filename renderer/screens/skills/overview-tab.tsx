import type { SkillDetail, SkillUse } from '../../../core/domain/skill.ts'
import { Note } from '../../components/card.tsx'
import { nowMs } from '../../engine/clock.ts'
import { exactText, relativeText } from '../../format/dates.ts'
import { FactList, LongText, Section } from '../../record/parts.tsx'
import { routeHash, skillRoute } from '../../routes.ts'
import { projectOf } from '../../state/select.ts'
import { useApp } from '../../state/store.ts'
import { BigFigures } from './big-figures.tsx'
import { Failures } from './failures.tsx'
import { Words } from './sign-words.tsx'
import { useLeftFile } from './use-left-file.ts'
import { lastTakenBack, takenBackText, whyNotText } from './words.ts'

interface OverviewTabProps {
  readonly skill: SkillDetail
  readonly uses: readonly SkillUse[]
}

/** In one look: how it does, where it is from, what it needs, and what brings it into a thread. */
export function OverviewTab({ skill, uses }: OverviewTabProps) {
  const { keywords, patterns, tags, snippets, actions, missing, state } = skill
  const why = whyNotText(skill)
  const taken = lastTakenBack(skill)
  return (
    <>
      {why !== null && (
        <div className="sk-note">
          <Note status={state === 'suspended' ? 'failed' : 'waiting'}>
            No thread is given this skill: {why}. Nothing of it was deleted.
          </Note>
        </div>
      )}
      {taken && (
        <div className="sk-note">
          <Note status="failed" action={<a href={routeHash(skillRoute(skill.id, 'versions'))}>Show the versions</a>}>
            {takenBackText(taken)}
          </Note>
        </div>
      )}
      <BigFigures skill={skill} />
      <div className="sk-two">
        <div>
          <Section title="Chosen by" aside={<a href={routeHash(skillRoute(skill.id, 'activation'))}>test a goal</a>}>
            {keywords.length + patterns.length + tags.length === 0 ? (
              <p className="small dim">Only by its name, /{skill.name}.</p>
            ) : (
              <Words words={[...keywords, ...tags, ...patterns]} />
            )}
          </Section>
          <Facts skill={skill} />
          {snippets.length > 0 && (
            <Section title="Functions" aside={snippets.length}>
              {snippets.map(({ name, description, code }) => (
                <details key={name} className="sk-snippet">
                  <summary>
                    <span className="mono">{name}</span> <span className="mute">{description}</span>
                  </summary>
                  <LongText text={code} />
                </details>
              ))}
            </Section>
          )}
        </div>
        <div>
          <Failures uses={uses} skillId={skill.id} />
          <Section title="Actions it asks for" aside="leased per thread">
            {actions.length === 0 ? (
              <p className="small dim">None: it is a text to follow.</p>
            ) : (
              <>
                <Words words={actions} />
                <p className="small dim sk-after">Shown, never a grant: each thread asks by its own rules.</p>
              </>
            )}
          </Section>
          {missing.length > 0 && (
            <Section title="Needs">
              <Words words={missing} />
            </Section>
          )}
        </div>
      </div>
    </>
  )
}

function Facts({ skill }: { readonly skill: SkillDetail }) {
  const { source, place, projectId, file, tokens, lastUsedAt, sha256, excludeKeywords } = skill
  const project = useApp((state) => projectOf(state.projects, projectId))
  const left = useLeftFile(skill)
  return (
    <Section title="Facts">
      <FactList
        facts={[
          ['Source', `${source}, ${place}`],
          ['In use', projectId === null ? 'in every project' : `in ${project?.name ?? 'one project'} only`],
          ['In a prompt', `${tokens.toLocaleString('en')} tokens, estimated`],
          excludeKeywords.length === 0 ? null : ['Never with', excludeKeywords.join(', ')],
          [
            'Last used',
            lastUsedAt === null ? (
              'never'
            ) : (
              <time key="t" dateTime={new Date(lastUsedAt).toISOString()} title={exactText(lastUsedAt)}>
                {relativeText(lastUsedAt, nowMs())}
              </time>
            ),
          ],
          [
            'File',
            file === null ? (
              left === null ? (
                'in the store only'
              ) : (
                <span key="l">
                  in the store only; differs from its file <span className="mono breaks">{left}</span>
                </span>
              )
            ) : (
              <span key="f" className="mono breaks">
                {file}
              </span>
            ),
          ],
          [
            'Bytes',
            <span key="b" className="mono" title={sha256}>
              sha256 {sha256.slice(0, 4)}…{sha256.slice(-4)}
            </span>,
          ],
        ]}
      />
    </Section>
  )
}
