import { useState } from 'react'
import type { SkillExport } from '../../../core/domain/candidate.ts'
import type { SkillDetail } from '../../../core/domain/skill.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { call } from '../../engine/client.ts'
import { bytesText, counted } from '../../format/figures.ts'
import { supervise } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'

type Form = 'zip' | 'folder'

interface ExportDialogProps {
  readonly skill: SkillDetail
  onClose(): void
}

/** Writes the skill as it is, with its files, for other programs that read such folders. */
export function ExportDialog({ skill, onClose }: ExportDialogProps) {
  const { id, name, version } = skill
  const [folder, setFolder] = useState('')
  const [form, setForm] = useState<Form>('zip')
  const [made, setMade] = useState<SkillExport | null>(null)
  const path = pathOf(folder.trim(), form === 'zip' ? `${name}.zip` : name)
  const work = useAction(async () => setMade(await call('skill.export', { id, version, path })))
  const pick = () =>
    supervise(async () => {
      const picked = await call('shell.pickFolder', {})
      if (picked.folder !== null) setFolder(picked.folder)
    })
  return (
    <FormDialog title={`Export ${name} v${version}`} onClose={onClose}>
      {made ? (
        <>
          <Note
            status="done"
            action={
              <Button look="ghost" onClick={() => supervise(() => call('shell.showFile', { path: made.path }))}>
                Show it
              </Button>
            }
          >
            {counted(made.files, 'file')}, {bytesText(made.bytes)}, written to{' '}
            <span className="mono breaks">{made.path}</span>
          </Note>
          <div className="confirm-acts">
            <Button look="primary" onClick={onClose}>
              Close
            </Button>
          </div>
        </>
      ) : (
        <form
          className="form-rows"
          onSubmit={(event) => {
            event.preventDefault()
            if (folder.trim() !== '') work.run()
          }}
        >
          <Segmented
            label="As what"
            options={[
              ['zip', 'Zip file'],
              ['folder', 'Folder'],
            ]}
            value={form}
            onChange={(next) => setForm(next)}
          />
          <div className="with-button">
            <Field
              label="Into which folder"
              isMono
              value={folder}
              onChange={(event) => setFolder(event.target.value)}
            />
            <Button onClick={pick}>Choose a folder</Button>
          </div>
          {folder.trim() !== '' && (
            <p className="mute small breaks">
              Becomes <span className="mono">{path}</span>. What is there already is never written over.
            </p>
          )}
          {work.error && <ErrorNote title="Nothing was written" error={work.error} />}
          <div className="confirm-acts">
            <Button shortcut="Escape" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" look="primary" disabled={work.isBusy || folder.trim() === ''}>
              Export v{version}
            </Button>
          </div>
        </form>
      )}
    </FormDialog>
  )
}

/** Windows writes its folders with `\`. */
function pathOf(folder: string, name: string): string {
  const separator = folder.includes('\\') && !folder.includes('/') ? '\\' : '/'
  return folder.endsWith(separator) ? `${folder}${name}` : `${folder}${separator}${name}`
}
