import { runCommand, shortcutOf } from '../commands.ts'
import { IconButton, Kbd } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { Mark } from '../components/mark.tsx'
import { routeHash } from '../routes.ts'
import { shownThread } from '../state/select.ts'
import { useApp } from '../state/store.ts'

export function TitleBar() {
  const canGoBack = useApp((state) => state.canGoBack)
  const canGoForward = useApp((state) => state.canGoForward)
  return (
    <header className="titlebar">
      <span className="titlebar-mark">
        <Mark size={18} isPlain />
      </span>
      <IconButton
        icon="left"
        label="Back"
        shortcut="["
        disabled={!canGoBack}
        className="bare"
        onClick={() => runCommand('go.back')}
      />
      <IconButton
        icon="right"
        label="Forward"
        shortcut="]"
        disabled={!canGoForward}
        className="bare pulled"
        onClick={() => runCommand('go.forward')}
      />
      <Crumbs />
      <span className="grow" />
      <button type="button" className="palette-btn" onClick={() => runCommand('palette.open')}>
        <Icon name="search" size="tiny" />
        <span className="grow">Search or run a command</span>
        <Kbd keys={shortcutOf('palette.open') ?? ''} />
      </button>
    </header>
  )
}

function Crumbs() {
  const route = useApp((state) => state.route)
  const thread = useApp((state) => (state.route.screen === 'thread' ? shownThread(state) : undefined))
  const titles = {
    chat: 'Chat',
    threads: 'Threads',
    thread: 'Threads',
    approvals: 'Approvals',
    memory: 'Memory',
    skills: 'Skills',
    missions: 'Missions',
    learnt: 'What I learnt',
    integrations: 'Integrations',
    settings: 'Settings',
  } as const
  return (
    <nav className="crumbs" aria-label="Breadcrumb">
      {route.screen === 'thread' ? (
        <>
          <a href={routeHash({ screen: 'threads' })}>Threads</a>
          <Icon name="right" size="tiny" />
          <b aria-current="page">{thread ? `#${thread.number}` : '…'}</b>
          {thread && <span className="trunc">{thread.title}</span>}
        </>
      ) : (
        <b aria-current="page">{titles[route.screen]}</b>
      )}
    </nav>
  )
}
