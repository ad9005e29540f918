import type { DocVersionHeader, MemoryDoc } from '../../../core/domain/memory.ts'
import { ThreadLink } from '../../components/thread-link.tsx'
import { nowMs } from '../../engine/clock.ts'
import { exactText, longDayText, relativeText } from '../../format/dates.ts'
import { counted } from '../../format/figures.ts'
import { FactList } from '../../record/parts.tsx'
import { Outside } from './doc-list.tsx'
import { provenanceWords } from './words.ts'

interface DocAsideProps {
  readonly doc: MemoryDoc
  readonly versions: readonly DocVersionHeader[]
  readonly shown: number
  onShow(version: number): void
}

/** Where it came from, and every version of it. */
export function DocAside({ doc, versions, shown, onShow }: DocAsideProps) {
  const { tags, createdAt, archivedAt, content } = doc
  return (
    <aside className="doc-aside scrolls" aria-label="Facts and versions">
      <Part title="Facts">
        <FactList
          facts={[
            ['Begun', <Day key="begun" at={createdAt} />],
            archivedAt === null ? null : ['Archived', <Day key="archived" at={archivedAt} />],
            ['Tags', tags.length === 0 ? '–' : tags.join(', ')],
            ['Length', counted(content.length, 'character')],
          ]}
        />
      </Part>
      <Part title="Versions" aside={versions.length}>
        <ol className="doc-versions">
          {versions.map((version) => (
            <li key={version.version}>
              <button
                type="button"
                className="doc-version"
                aria-current={version.version === shown ? 'true' : undefined}
                onClick={() => onShow(version.version)}
              >
                <span className="medium">v{version.version}</span>
                <span className="trunc">{provenanceWords[version.provenance]}</span>
                <time
                  className="mute"
                  dateTime={new Date(version.createdAt).toISOString()}
                  title={exactText(version.createdAt)}
                >
                  {relativeText(version.createdAt, nowMs())}
                </time>
              </button>
              <p className="sub doc-facts">
                <span>{counted(version.characters, 'character')}</span>
                {version.sourceThreadId !== null && <ThreadLink id={version.sourceThreadId} />}
                {version.untrusted && <Outside />}
              </p>
            </li>
          ))}
        </ol>
      </Part>
    </aside>
  )
}

function Day({ at }: { readonly at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={exactText(at)}>
      {longDayText(at)}
    </time>
  )
}

interface PartProps {
  readonly title: string
  readonly aside?: number
  readonly children: React.ReactNode
}

/** Its heading is of the second level: the doc's own text before it may have headings of any. */
function Part({ title, aside, children }: PartProps) {
  return (
    <section className="section" aria-label={title}>
      <div className="label-row">
        <h2 className="label">{title}</h2>
        {aside !== undefined && <span className="mute small">{aside}</span>}
      </div>
      {children}
    </section>
  )
}
