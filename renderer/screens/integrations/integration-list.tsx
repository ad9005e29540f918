import type { Integration } from '../../../core/domain/integration.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, ErrorNote, Skeleton } from '../../components/card.tsx'
import { Status, type StatusLook } from '../../components/status.tsx'
import { counted } from '../../format/figures.ts'
import { serviceTitle } from '../../format/service-names.ts'
import { integrationParts, routeHash } from '../../routes.ts'
import { useApp } from '../../state/store.ts'
import type { LoadState } from '../../state/use-load.ts'
import { groupsOf } from './parts-of.ts'
import { integrationLook } from './words.ts'

interface IntegrationListProps {
  readonly load: LoadState & { readonly retry: () => void }
  readonly shown: string | null
}

/** Skills that talk to services, by what they need; then what did not load, and what the person allows by themselves. */
export function IntegrationList({ load, shown }: IntegrationListProps) {
  const all = useApp((state) => state.integrations)
  return (
    <>
      <div className="pane-head">
        <h1 className="h-title">Integrations</h1>
        {all !== null && <span className="mute">{all.integrations.length}</span>}
      </div>
      <nav className="pane-body scrolls" aria-label="Integrations">
        {load.phase === 'failed' && <NotListed load={load} isKnown={all !== null} retry={load.retry} />}
        {all === null && load.phase === 'loading' && <Skeleton rows={7} label="Reading the integrations" />}
        {all !== null && <Groups shown={shown} all={all} />}
        <Group title="Your own">
          <HostsRow isShown={shown === integrationParts.hosts} />
        </Group>
      </nav>
    </>
  )
}

interface NotListedProps {
  readonly load: Extract<LoadState, { phase: 'failed' }>
  /** What was read before stands below it. */
  readonly isKnown: boolean
  retry(): void
}

function NotListed({ load: { error }, isKnown, retry }: NotListedProps) {
  return (
    <div className="list-note">
      {isKnown ? (
        <ErrorNote title="Not read again" error={error} />
      ) : (
        <ErrorCard
          title="The integrations could not be listed"
          error={error}
          actions={
            <Button look="primary" onClick={retry}>
              Try again
            </Button>
          }
        />
      )}
    </div>
  )
}

type All = NonNullable<ReturnType<typeof useApp.getState>['integrations']>

function Groups({ shown, all }: { readonly shown: string | null; readonly all: All }) {
  const { keyed, open } = groupsOf(all)
  const row = (each: Integration) => <SkillRow key={each.skill} integration={each} isShown={each.skill === shown} />
  return (
    <>
      {keyed.length > 0 && <Group title="Need a key">{keyed.map(row)}</Group>}
      {open.length > 0 && <Group title="Need no key">{open.map(row)}</Group>}
      {all.problems.length > 0 && (
        <Group title="Not loaded">
          <Row
            part={integrationParts.problems}
            title={counted(all.problems.length, 'skill')}
            look={{ status: 'failed', word: 'Not loaded' }}
            detail={all.problems.map(({ file }) => file.split(/[\\/]/).slice(-2).join('/')).join(', ')}
            isShown={shown === integrationParts.problems}
          />
        </Group>
      )}
    </>
  )
}

function Group({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="list-group">{title}</h2>
      <ul>{children}</ul>
    </section>
  )
}

function SkillRow({ integration, isShown }: { readonly integration: Integration; readonly isShown: boolean }) {
  const { skill, description } = integration
  return (
    <Row
      part={skill}
      title={serviceTitle(skill)}
      look={integrationLook(integration)}
      detail={description}
      isShown={isShown}
    />
  )
}

function HostsRow({ isShown }: { readonly isShown: boolean }) {
  const origins = useApp((state) => state.settings?.http.origins.length ?? 0)
  const detail = origins === 0 ? 'None: each read elsewhere asks' : `${counted(origins, 'host')}, read without asking`
  return <Row part={integrationParts.hosts} title="Hosts you allow" look={null} detail={detail} isShown={isShown} />
}

interface RowProps {
  readonly part: string
  readonly title: string
  readonly look: StatusLook | null
  readonly detail: string
  readonly isShown: boolean
}

function Row({ part, title, look, detail, isShown }: RowProps) {
  return (
    <li>
      <a
        className="item integration"
        href={routeHash({ screen: 'integrations', part })}
        aria-current={isShown ? 'page' : undefined}
        title={detail}
      >
        <span className="t trunc">{title}</span>
        {look !== null && <Status {...look} />}
        <span className="sub2 trunc">{detail}</span>
      </a>
    </li>
  )
}
