import { useCallback, useRef, useState } from 'react'
import type { SkillDetail, SkillVersionHeader } from '../../../core/domain/skill.ts'
import { DiffView } from '../../approval/diff-view.tsx'
import { shortcutOf } from '../../commands.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, Note, Skeleton } from '../../components/card.tsx'
import { ThreadLink } from '../../components/thread-link.tsx'
import { longDayText } from '../../format/dates.ts'
import { readSkill } from '../../state/skills.ts'
import { useLoad } from '../../state/use-load.ts'
import { useScreenCommand } from '../../state/use-screen-command.ts'
import { choose, chosenPair } from './version-choice.ts'
import { VersionRail } from './version-rail.tsx'

interface VersionsTabProps {
  readonly skill: SkillDetail
  onRollback(to: number): void
}

/** All versions, any two of them beside each other, and the way back to each. */
export function VersionsTab({ skill, onRollback }: VersionsTabProps) {
  const { versions } = skill
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [compared, setCompared] = useState<readonly [number, number] | null>(null)
  const pair = chosenPair(chosen, skill)
  const compare = useCallback(() => setCompared(pair), [pair?.[0], pair?.[1]])
  useScreenCommand('skill.compare', compare)
  return (
    <>
      <div className="sk-bar">
        <span className="small dim">
          {versions.length < 2
            ? 'There is one version: nothing to compare it with yet.'
            : chosen.length > 0
              ? `Picked: ${chosen.map((version) => `v${version}`).join(' and ')}`
              : 'Pick two to compare, or compare those that the button names.'}
        </span>
        <span className="grow" />
        <Button shortcut={shortcutOf('skill.compare') ?? ''} disabled={pair === null} onClick={compare}>
          {pair === null ? 'Compare' : `Compare v${pair[0]} with v${pair[1]}`}
        </Button>
      </div>
      <div className="section">
        <VersionRail
          versions={versions}
          before={(version) => (
            <VersionBox
              version={version}
              isChosen={chosen.includes(version.version)}
              onChoose={() => setChosen(choose(chosen, version.version))}
            />
          )}
          more={(version) =>
            version.state !== 'live' && (
              <Button look="ghost" onClick={() => onRollback(version.version)}>
                Use v{version.version}
              </Button>
            )
          }
          below={(version) => <WhyRolledBack version={version} />}
        />
      </div>
      {compared && (
        <Compared key={compared.join(' ')} skill={skill} pair={compared} onClose={() => setCompared(null)} />
      )}
    </>
  )
}

interface VersionBoxProps {
  readonly version: SkillVersionHeader
  readonly isChosen: boolean
  onChoose(): void
}

function VersionBox({ version, isChosen, onChoose }: VersionBoxProps) {
  return (
    <input
      type="checkbox"
      className="vrail-box"
      aria-label={`Compare v${version.version}`}
      checked={isChosen}
      onChange={onChoose}
    />
  )
}

/** What the tracker or a person found, and the threads that failed with it. */
function WhyRolledBack({ version: { rolledBack } }: { readonly version: SkillVersionHeader }) {
  if (rolledBack === null) return null
  return (
    <p className="vrail-why small">
      Taken back on {longDayText(rolledBack.at)}: {rolledBack.reason}
      {rolledBack.threadIds.length > 0 && (
        <span className="vrail-threads">
          {rolledBack.threadIds.map((id) => (
            <ThreadLink key={id} id={id} />
          ))}
        </span>
      )}
    </p>
  )
}

interface ComparedProps {
  readonly skill: SkillDetail
  readonly pair: readonly [number, number]
  onClose(): void
}

const firstLines = 400

function Compared({ skill, pair: [from, to], onClose }: ComparedProps) {
  const [texts, setTexts] = useState<readonly [string, string] | null>(null)
  const ref = useRef<HTMLElement>(null)
  const load = useLoad(
    useCallback(async () => {
      const [before, after] = await Promise.all([readSkill(skill.id, from), readSkill(skill.id, to)])
      setTexts([before.content, after.content])
      ref.current?.scrollIntoView({ block: 'nearest' })
    }, [skill.id, from, to]),
  )
  return (
    <section ref={ref} className="sk-compared" aria-label={`v${from} beside v${to}`}>
      <div className="sk-bar">
        <h3 className="label">
          v{from} → v{to}
        </h3>
        <span className="grow" />
        <Button look="ghost" onClick={onClose}>
          Close
        </Button>
      </div>
      {load.phase === 'failed' && (
        <div className="sk-note">
          <ErrorCard
            title="The versions could not be read"
            error={load.error}
            actions={<Button onClick={load.retry}>Read again</Button>}
          />
        </div>
      )}
      {texts === null && load.phase === 'loading' && <Skeleton rows={5} label="Reading the versions" />}
      {texts && texts[0] === texts[1] && (
        <div className="sk-note">
          <Note status="done">Both hold the same bytes.</Note>
        </div>
      )}
      {texts && texts[0] !== texts[1] && (
        <DiffView before={texts[0]} after={texts[1]} label={`v${from} → v${to}`} firstLines={firstLines} />
      )}
    </section>
  )
}
