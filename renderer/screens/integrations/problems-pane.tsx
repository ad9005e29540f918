import type { Integrations } from '../../../core/domain/integration.ts'
import { ErrorCard } from '../../components/card.tsx'

/** Skill files that were not loaded: which, and why. */
export function ProblemsPane({ problems }: Pick<Integrations, 'problems'>) {
  return (
    <section className="pane detail" aria-label="Skills that were not loaded">
      <header className="int-head">
        <h2>Skills that were not loaded</h2>
        <p className="dim">
          Nothing of them is used, and what they need is not known. The other skills work as before.
        </p>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is scrolled by keyboard */}
      <div className="pane-body scrolls" tabIndex={0}>
        <div className="int-doc">
          {problems.map(({ file, error }) => (
            <ErrorCard
              key={file}
              title={file.split(/[\\/]/).slice(-2).join('/')}
              error={error}
              facts={[
                [
                  'File',
                  <span key="file" className="mono breaks">
                    {file}
                  </span>,
                ],
              ]}
            />
          ))}
          {problems.length === 0 && <p className="dim">All skills are loaded.</p>}
        </div>
      </div>
    </section>
  )
}
