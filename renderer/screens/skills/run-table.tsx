import { rangeText, successText } from '../../components/interval.tsx'
import { Status } from '../../components/status.tsx'
import { dayTimeText, exactText } from '../../format/dates.ts'
import { routeHash } from '../../routes.ts'
import type { VersionStretch } from './metrics.ts'

/** What the chart draws, as figures: the newest run first. */
export function RunTable({ stretches }: { readonly stretches: readonly VersionStretch[] }) {
  const runs = stretches.flatMap((stretch) => stretch.runs).toReversed()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is scrolled by keyboard
    <section className="sk-table scrolls" tabIndex={0} aria-label="Runs">
      <table className="table">
        <thead>
          <tr>
            <th scope="col" className="num">
              Run
            </th>
            <th scope="col">Ended</th>
            <th scope="col">Version</th>
            <th scope="col">Outcome</th>
            <th scope="col" className="num">
              Successes
            </th>
            <th scope="col" className="num">
              95 % interval
            </th>
            <th scope="col">Thread</th>
          </tr>
        </thead>
        <tbody>
          {runs.map(({ at, use, ok, confidence }) => (
            <tr key={at}>
              <td className="num">{at}</td>
              <td title={exactText(use.at)}>{dayTimeText(use.at)}</td>
              <td>v{use.version}</td>
              <td>{ok ? <Status status="done" word="success" /> : <Status status="failed" word="failure" />}</td>
              <td className="num">{successText(confidence)}</td>
              <td className="num">{rangeText(confidence)}</td>
              <td>
                <a href={routeHash({ screen: 'thread', id: use.threadId })}>#{use.threadNumber}</a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
