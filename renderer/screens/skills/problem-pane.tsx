import type { SkillProblem } from '../../../core/domain/skill.ts'
import { runCommand } from '../../commands.ts'
import { Button } from '../../components/button.tsx'
import { Status, StatusIcon } from '../../components/status.tsx'
import { call } from '../../engine/client.ts'
import { routeHash, skillRoute } from '../../routes.ts'
import { supervise, useApp } from '../../state/store.ts'
import { Diagnostics } from './diagnostics.tsx'
import { MendCard } from './mend-card.tsx'
import { placeText, problemLooks, problemName } from './words.ts'

/** A file that is no skill, or is one with flaws: which, where, why, and the change that would mend it. */
export function ProblemPane({ problem }: { readonly problem: SkillProblem }) {
  const { file, place, kind, diagnostics, mend } = problem
  const name = problemName(file)
  const skills = useApp((state) => state.skills)
  const other = skills?.find((skill) => skill.name === name)
  const loaded = skills?.length ?? 0
  return (
    <section className="pane detail" aria-label={name}>
      <header className="sk-title">
        <div className="row sk-title-row">
          <h2 className="trunc" title={name}>
            {name}
          </h2>
          <Status {...problemLooks[kind]} look="chip" />
        </div>
        <p className="dim mono breaks small">{file}</p>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is scrolled by keyboard */}
      <div className="pane-body scrolls" tabIndex={0}>
        <div className="padded">
          <section className={kind === 'rejected' ? 'card bad fault' : 'card fault'} aria-label="What is the matter">
            <h3>
              <StatusIcon status={problemLooks[kind].status} />
              {headline(problem)}
            </h3>
            <p>{safeText(kind, loaded)}</p>
            <Diagnostics list={diagnostics} isFirstTold={kind !== 'shadowed'} {...(mend && { text: mend.before })} />
            <dl className="kv">
              <dt>From</dt>
              <dd>{place}</dd>
              {other && (
                <>
                  <dt>In use</dt>
                  <dd>
                    <a href={routeHash(skillRoute(other.id))}>
                      {other.name} v{other.version}
                    </a>
                    , {other.place}
                  </dd>
                </>
              )}
            </dl>
            <div className="acts">
              <Button
                {...(kind !== 'shadowed' && mend === null && { look: 'primary' })}
                onClick={() => supervise(() => call('shell.showFile', { path: file }))}
              >
                Show the file
              </Button>
              <Button look="ghost" onClick={() => runCommand('skill.rescan')}>
                Check again
              </Button>
            </div>
          </section>
          {kind !== 'shadowed' && <MendCard problem={problem} />}
        </div>
      </div>
    </section>
  )
}

function headline(problem: SkillProblem): string {
  const first = problem.diagnostics[0]
  if (problem.kind === 'shadowed') return 'Another skill has this name'
  return first ? `${placeText(problem)}: ${first.message}` : placeText(problem)
}

function safeText(kind: SkillProblem['kind'], loaded: number): string {
  const others = `${loaded.toLocaleString('en')} skills are loaded and work as before.`
  switch (kind) {
    case 'rejected':
      return `Nothing of this file is used. ${others}`
    case 'warning':
      return 'It is used as it is.'
    case 'shadowed':
      return 'The other one is used in its place. Nothing was deleted: rename one of both to have them both.'
  }
}
