import { useCallback, useRef } from 'react'
import { runCommand, shortcutOf } from '../../commands.ts'
import { Button, IconButton, Kbd } from '../../components/button.tsx'
import { Empty, ErrorCard, Skeleton } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { Icon } from '../../components/icon.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { Toggle } from '../../components/toggle.tsx'
import { counted } from '../../format/figures.ts'
import { useApp } from '../../state/store.ts'
import { useScreenCommand } from '../../state/use-screen-command.ts'
import { DocList } from './doc-list.tsx'
import type { useDocs } from './use-docs.ts'
import { type ShownType, shownTypes, typeOptions } from './words.ts'

interface MemoryListProps {
  readonly projectId: string
  readonly type: ShownType | null
  readonly isArchived: boolean
  readonly text: string
  readonly isSearch: boolean
  readonly docs: ReturnType<typeof useDocs>
  readonly shownId: string | null
  /** A doc was chosen, maybe the one that is shown. */
  onOpen(): void
  onProject(id: string): void
  onType(type: ShownType | null): void
  onArchived(isArchived: boolean): void
  onText(text: string): void
}

/** Search, filter, and the docs that are left. */
export function MemoryList(props: MemoryListProps) {
  const { type, isArchived, text, isSearch, docs } = props
  return (
    <>
      <div className="pane-head">
        <h1 className="h-title">Memory</h1>
        <Project projectId={props.projectId} onProject={props.onProject} />
        <span className="grow" />
        <IconButton
          icon="plus"
          look="plain"
          label="Write a note"
          shortcut={shortcutOf('doc.new') ?? ''}
          onClick={() => runCommand('doc.new')}
        />
      </div>
      <div className="memory-filter">
        <SearchField text={text} onText={props.onText} />
        <Segmented
          label="Type"
          options={typeOptions}
          value={type ?? 'all'}
          onChange={(next) => props.onType(shownTypes.find((each) => each === next) ?? null)}
        />
      </div>
      <Rows {...props} />
      <div className="pane-foot">
        <span>
          {isSearch ? counted(docs.rows.length, 'hit') : counted(docs.rows.length, 'doc')}
          {docs.hasMore ? ', more below' : ''}
        </span>
        {docs.moreError && <span className="ink-failed">{docs.moreError.userMessage}</span>}
        <span className="grow" />
        {!isSearch && (
          <>
            <span id="shows-archived">Archived</span>
            <Toggle
              labelledBy="shows-archived"
              isOn={isArchived}
              words={['shown', 'hidden']}
              onChange={props.onArchived}
            />
          </>
        )}
      </div>
      <span className="sr" role="status">
        {docs.isRead && isSearch ? counted(docs.rows.length, 'hit') : ''}
      </span>
    </>
  )
}

function SearchField({ text, onText }: { readonly text: string; onText(text: string): void }) {
  const ref = useRef<HTMLInputElement>(null)
  useScreenCommand(
    'list.filter',
    useCallback(() => ref.current?.select(), []),
  )
  return (
    <label className="input quiet">
      <Icon name="search" size="tiny" />
      <span className="sr">Search the memory</span>
      <input
        ref={ref}
        type="search"
        className="grow"
        placeholder="Search the memory"
        maxLength={1_000}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onText('')}
      />
      <Kbd keys="/" />
    </label>
  )
}

/** Whose memory it is; a choice where there are several folders. */
function Project({ projectId, onProject }: Pick<MemoryListProps, 'projectId' | 'onProject'>) {
  const projects = useApp((state) => state.projects)
  const project = projects.find(({ id }) => id === projectId)
  if (projects.length < 2)
    return (
      <span className="mute trunc" title={project?.folder}>
        {project?.name}
      </span>
    )
  return (
    <Choice
      label="Folder"
      options={projects.map(({ id, name, folder }) => ({ value: id, title: name, detail: folder }))}
      value={projectId}
      onChange={onProject}
    />
  )
}

function Rows({ type, isArchived, isSearch, docs, shownId, onOpen, onType, onText }: MemoryListProps) {
  const { load, rows, isRead, hasMore, onEnd } = docs
  if (load.phase === 'failed' && rows.length === 0)
    return (
      <div className="pane-body padded">
        <ErrorCard
          title={isSearch ? 'The memory could not be searched' : 'The memory could not be read'}
          error={load.error}
          actions={
            <Button look="primary" onClick={load.retry}>
              Try again
            </Button>
          }
        />
      </div>
    )
  if (!isRead)
    return (
      <div className="pane-body">
        <Skeleton rows={8} label="Reading the memory" />
      </div>
    )
  if (rows.length > 0) return <DocList {...{ rows, shownId, hasMore, onOpen, onEnd }} />
  if (!isSearch && type === null && !isArchived)
    return (
      <div className="pane-body">
        <p className="list-none">No docs yet.</p>
      </div>
    )
  const clear = () => {
    onText('')
    onType(null)
  }
  return (
    <div className="pane-body">
      <Empty
        title={isArchived && !isSearch ? 'Nothing is archived' : 'No doc matches'}
        actions={(isSearch || type !== null) && <Button onClick={clear}>Clear the filter</Button>}
      >
        {isSearch ? 'Looked for the words, and for texts that are alike. What is archived is not searched.' : ''}
      </Empty>
    </div>
  )
}
