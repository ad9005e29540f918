import { useCallback, useEffect } from 'react'
import type { Integrations } from '../../../core/domain/integration.ts'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/card.tsx'
import { Splitter, usePaneWidth } from '../../components/splitter.tsx'
import { integrationParts } from '../../routes.ts'
import { loadIntegrations } from '../../state/integrations.ts'
import { go } from '../../state/navigation.ts'
import { setApp, useApp } from '../../state/store.ts'
import { type LoadState, useLoad } from '../../state/use-load.ts'
import { useMoves } from '../../state/use-moves.ts'
import { useScreenCommand } from '../../state/use-screen-command.ts'
import { useSettled } from '../../state/use-settled.ts'
import { AllowedHosts } from './allowed-hosts.tsx'
import { IntegrationDetail } from './integration-detail.tsx'
import { IntegrationList } from './integration-list.tsx'
import { partsOf } from './parts-of.ts'
import { ProblemsPane } from './problems-pane.tsx'
import './integrations.css'

const pulseMs = 1_000

/** What each skill needs for its services: connected, tested and disconnected here. */
export function IntegrationsScreen({ part }: { readonly part: string | null }) {
  const integrations = useApp((state) => state.integrations)
  // A call of a thread may have been refused meanwhile.
  const newest = useApp(({ known }) => Math.max(0, ...Object.values(known.threads).map(({ updatedAt }) => updatedAt)))
  const pulse = useSettled(newest, pulseMs)
  const load = useLoad(useCallback(() => loadIntegrations(), [pulse]))
  // Who comes back later was not sent here.
  useEffect(() => () => setApp({ connecting: null }), [])
  const list = usePaneWidth({ name: 'integrations', label: 'Width of the list', initial: 336, min: 280, max: 520 })
  const { toggle } = list
  // `toggle` is made anew with the state that it reads.
  useScreenCommand('list.toggle', useCallback(toggle, [list.isOpen]))
  const parts = integrations === null ? [] : partsOf(integrations)
  const chosen = part ?? parts.find((each) => each !== integrationParts.hosts) ?? null
  useMoves((by) => {
    const next = parts[Math.max(0, Math.min(parts.length - 1, parts.indexOf(chosen ?? '') + by))]
    if (next !== undefined) go({ screen: 'integrations', part: next })
  })
  return (
    <main className="split integrations" style={{ gridTemplateColumns: `${list.width}px minmax(0, 1fr)` }}>
      <div className="pane">{list.isOpen && <IntegrationList load={load} shown={chosen} />}</div>
      <Splitter {...list.splitter} />
      <Shown part={chosen} integrations={integrations} load={load} />
    </main>
  )
}

interface ShownProps {
  readonly part: string | null
  readonly integrations: Integrations | null
  readonly load: LoadState
}

function Shown({ part, integrations, load }: ShownProps) {
  if (part === integrationParts.hosts) return <AllowedHosts />
  if (integrations === null)
    return <section className="pane detail" aria-label="Integration" aria-busy={load.phase === 'loading'} />
  if (part === integrationParts.problems) return <ProblemsPane problems={integrations.problems} />
  const found = integrations.integrations.find(({ skill }) => skill === part)
  if (found !== undefined) return <IntegrationDetail key={found.skill} integration={found} />
  return (
    <section className="pane detail" aria-label="Integration">
      {part === null ? <NoServices /> : <Unknown skill={part} />}
    </section>
  )
}

function NoServices() {
  return (
    <Empty
      title="No skill needs a service"
      actions={
        <Button onClick={() => go({ screen: 'integrations', part: integrationParts.hosts })}>
          Show the hosts you allow
        </Button>
      }
    >
      A skill that talks to a service stands here with the key that it needs, where that key goes, and how it was last
      answered.
    </Empty>
  )
}

function Unknown({ skill }: { readonly skill: string }) {
  return (
    <Empty
      title="This skill needs no service"
      actions={<Button onClick={() => go({ screen: 'integrations', part: null })}>Show the list</Button>}
    >
      No skill that is called “{skill}” was loaded, or it asks for no host. Nothing was changed.
    </Empty>
  )
}
