import { Dialog } from '@base-ui/react/dialog'
import { Command as Menu, useCommandState } from 'cmdk'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Integrations } from '../../core/domain/integration.ts'
import { commandsOf } from '../commands.ts'
import { Kbd } from '../components/button.tsx'
import { Icon, type IconName } from '../components/icon.tsx'
import { threadLook } from '../components/status.tsx'
import { nowMs } from '../engine/clock.ts'
import { relativeText } from '../format/dates.ts'
import { counted } from '../format/figures.ts'
import { startChat } from '../state/drafts.ts'
import { loadIntegrations } from '../state/integrations.ts'
import { loadThreads } from '../state/load.ts'
import { go } from '../state/navigation.ts'
import { listedThreads } from '../state/select.ts'
import { getApp, setApp, supervise, useApp } from '../state/store.ts'

const searchDelayMs = 120
const threadRows = 8
const commandRows = 7

/** Commands and threads by name. Ctrl K. */
export function Palette() {
  const isOpen = useApp((state) => state.isPaletteOpen)
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => setApp({ isPaletteOpen: open })}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="palette float" aria-label="Commands">
          <PaletteMenu />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function PaletteMenu() {
  const [query, setQuery] = useState('')
  const words = query.trim().toLowerCase()
  const integrations = useIntegrations()
  const options = useMemo(() => commandOptions(words, integrations), [words, integrations])
  const threads = useFoundThreads(words)
  const threadCount = useApp((state) => Object.keys(state.known.threads).length)
  const isEmpty = options.length === 0 && threads.length === 0
  return (
    <Menu label="Commands" shouldFilter={false} loop>
      <ActiveOption words={words} />
      <div className="q">
        <Icon name="search" />
        <Menu.Input className="q-input" value={query} onValueChange={setQuery} placeholder="Search or run a command" />
      </div>
      <Menu.List className="palette-list">
        {options.length > 0 && <OptionGroup title="Commands" options={options} words={words} />}
        {threads.length > 0 && <OptionGroup title="Threads" options={threads} words={words} />}
        {isEmpty && (
          <>
            <div className="palette-none">
              <b>Nothing is called that</b>
              <p className="dim">
                Looked in {counted(commandsOf({ integrations }).length, 'command')} and {counted(threadCount, 'thread')}{' '}
                that are loaded, and in the titles of all others.
              </p>
            </div>
            <OptionGroup title="" options={[askOption(query.trim())]} words="" />
          </>
        )}
      </Menu.List>
      <div className="foot">
        <span>
          <Kbd keys="ArrowUp ArrowDown" /> move
        </span>
        <span>
          <Kbd keys="Enter" /> run
        </span>
        <span className="grow" />
        <span>
          <Kbd keys="Escape" /> close
        </span>
      </div>
    </Menu>
  )
}

/**
 * Tells screen readers which option is chosen. cmdk notes its id before the new options are drawn, so that after typing it
 * names one that is gone.
 */
function ActiveOption({ words }: { readonly words: string }) {
  const value = useCommandState((state) => state.value)
  const ref = useRef<HTMLSpanElement>(null)
  // Both are what the option follows from, though neither is read here.
  useEffect(() => {
    const menu = ref.current?.parentElement
    const id = menu?.querySelector('[cmdk-item][data-selected="true"]')?.id
    for (const owner of menu?.querySelectorAll('[aria-activedescendant]') ?? [])
      if (id) owner.setAttribute('aria-activedescendant', id)
  }, [words, value])
  return <span ref={ref} hidden />
}

interface Option {
  readonly id: string
  readonly icon: IconName
  readonly title: string
  readonly detail: string
  readonly keys: string | undefined
  run(): void
}

function OptionGroup(props: { readonly title: string; readonly options: readonly Option[]; readonly words: string }) {
  return (
    <Menu.Group heading={props.title !== '' && <span className="grp">{props.title}</span>}>
      {props.options.map((option) => (
        <Menu.Item key={option.id} value={option.id} className="opt" onSelect={() => choose(option)}>
          <Icon name={option.icon} />
          <span className="trunc">
            <Marked text={option.title} words={props.words} />
          </span>
          <span className="mute trunc small">{option.detail}</span>
          <span className="grow" />
          {option.keys && <Kbd keys={option.keys} />}
        </Menu.Item>
      ))}
    </Menu.Group>
  )
}

function choose(option: Option): void {
  setApp({ isPaletteOpen: false })
  option.run()
}

function Marked({ text, words }: { readonly text: string; readonly words: string }) {
  const at = words === '' ? -1 : text.toLowerCase().indexOf(words)
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <b>{text.slice(at, at + words.length)}</b>
      {text.slice(at + words.length)}
    </>
  )
}

/** Commands that can run now and contain every word, those that begin with it first. */
function commandOptions(words: string, integrations: Integrations | null): readonly Option[] {
  const state = getApp()
  const wanted = words.split(/\s+/)
  const found = commandsOf({ integrations })
    .filter((command) => command.id !== 'palette.open' && command.when(state))
    .filter(({ title, group }) => wanted.every((word) => `${title} ${group}`.toLowerCase().includes(word)))
    .sort((a, b) => rank(a.title, words) - rank(b.title, words))
  return (words === '' ? found : found.slice(0, commandRows)).map((command) => ({
    id: command.id,
    icon: command.icon,
    title: command.title,
    detail: command.group,
    keys: command.keys[0],
    run: () => command.run(getApp()),
  }))
}

function rank(title: string, words: string): number {
  const at = title.toLowerCase().indexOf(words)
  if (at === 0) return 0
  if (at < 0) return 3
  return title.charAt(at - 1) === ' ' ? 1 : 2
}

/** What could be connected: known before it is asked for, or as soon as the engine has answered. */
function useIntegrations(): Integrations | null {
  const isReady = useApp((state) => state.start === 'ready')
  useEffect(() => {
    if (isReady) supervise(loadIntegrations)
  }, [isReady])
  return useApp((state) => state.integrations)
}

/** Threads by title: those that are loaded at once, the others when the store has answered. */
function useFoundThreads(words: string): readonly Option[] {
  const threads = useApp((state) => state.known.threads)
  useEffect(() => {
    if (words === '') return
    const filter = { state: null, query: words, conversations: false }
    const timer = setTimeout(() => supervise(() => loadThreads(filter)), searchDelayMs)
    return () => clearTimeout(timer)
  }, [words])
  return useMemo(() => {
    const query = words.replace(/^#/, '')
    const found = listedThreads(threads, { state: null, query: '', conversations: false }, null).filter(
      (thread) =>
        words === '' ||
        String(thread.number) === query ||
        `${thread.title} ${thread.goal}`.toLowerCase().includes(words),
    )
    return found.slice(0, threadRows).map((thread) => ({
      id: thread.id,
      icon: 'threads',
      title: `#${thread.number} ${thread.title}`,
      detail: `${threadLook(thread).word.toLowerCase()}, ${relativeText(thread.updatedAt, nowMs())}`,
      keys: undefined,
      run: () => go({ screen: 'thread', id: thread.id }),
    }))
  }, [threads, words])
}

function askOption(query: string): Option {
  return {
    id: 'palette.ask',
    icon: 'chat',
    title: `Ask about “${query}” in a new conversation`,
    detail: '',
    keys: 'Enter',
    run: () => startChat(query),
  }
}
