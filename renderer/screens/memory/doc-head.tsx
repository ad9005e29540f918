import { useCallback } from 'react'
import type { MemoryDoc } from '../../../core/domain/memory.ts'
import { shortcutOf } from '../../commands.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { useScreenCommand } from '../../state/use-screen-command.ts'
import { Outside } from './doc-list.tsx'

interface DocHeadProps {
  readonly doc: MemoryDoc
  readonly isBusy: boolean
  onEdit(): void
  onArchive(isArchived: boolean): void
}

/** What it is called, what it is, and what can be done with it. Skills are read here, and changed elsewhere. */
export function DocHead(props: DocHeadProps) {
  const { doc, isBusy, onArchive } = props
  const { title, type, version, untrusted, archivedAt } = doc
  const isSkill = type === 'Skill'
  return (
    <header className="doc-head">
      <h2 className="trunc" title={title}>
        {title}
      </h2>
      <span className="chip">{type}</span>
      <span className="mute">v{version}</span>
      {archivedAt !== null && <span className="chip line">archived</span>}
      {untrusted && <Outside />}
      <span className="grow" />
      <CopyButton text={doc.content} label="Copy the text" />
      {!isSkill && archivedAt === null && <EditButton onEdit={props.onEdit} />}
      {!isSkill && (
        <Button disabled={isBusy} onClick={() => onArchive(archivedAt === null)}>
          {archivedAt === null ? 'Archive' : 'Restore'}
        </Button>
      )}
    </header>
  )
}

function EditButton({ onEdit }: Pick<DocHeadProps, 'onEdit'>) {
  useScreenCommand(
    'doc.edit',
    useCallback(() => onEdit(), [onEdit]),
  )
  return (
    <Button shortcut={shortcutOf('doc.edit') ?? ''} onClick={onEdit}>
      Edit
    </Button>
  )
}
