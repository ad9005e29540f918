import { useState } from 'react'
import type { SkillImport } from '../../../core/domain/candidate.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Status } from '../../components/status.tsx'
import { call } from '../../engine/client.ts'
import { bytesText, counted } from '../../format/figures.ts'
import { loadCandidates } from '../../state/candidates.ts'
import { go } from '../../state/navigation.ts'
import { supervise } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'

/** Looks at a folder or zip file first, says what it would bring, and only then makes candidates of it. */
export function ImportDialog({ onClose }: { onClose(): void }) {
  const [path, setPath] = useState('')
  const [report, setReport] = useState<SkillImport | null>(null)
  const look = useAction(async (from: string) => setReport(await call('skill.import', { path: from, isDryRun: true })))
  const work = useAction(async () => {
    setReport(await call('skill.import', { path: path.trim() }))
    await loadCandidates()
  })
  const take = (picked: string | null) => {
    if (picked === null) return
    setPath(picked)
    look.run(picked)
  }
  const pickFolder = () => supervise(async () => take((await call('shell.pickFolder', {})).folder))
  const pickFile = () => supervise(async () => take((await call('shell.pickSkillFile', {})).file))
  const fresh = report?.skills.filter(({ kind }) => kind !== 'same').length ?? 0
  return (
    <FormDialog title="Import skills" onClose={onClose}>
      <form
        className="form-rows"
        onSubmit={(event) => {
          event.preventDefault()
          if (path.trim() !== '') look.run(path.trim())
        }}
      >
        <p className="dim small">
          A folder with a SKILL.md, a folder of such folders, or a zip of either. What is in it becomes candidates:
          inert until you approve each.
        </p>
        <div className="with-button">
          <Field
            label="Folder or file"
            isMono
            value={path}
            onChange={(event) => {
              setPath(event.target.value)
              setReport(null)
            }}
          />
          <Button onClick={pickFolder}>Folder…</Button>
          <Button onClick={pickFile}>File…</Button>
        </div>
        {look.error && <ErrorNote title="It could not be read" error={look.error} />}
        {work.error && <ErrorNote title="Nothing was imported" error={work.error} />}
        {report && <Report report={report} />}
        <div className="confirm-acts">
          <Button shortcut="Escape" onClick={onClose}>
            {report?.isDryRun === false ? 'Close' : 'Cancel'}
          </Button>
          {report === null && (
            <Button type="submit" look="primary" disabled={path.trim() === '' || look.isBusy}>
              Look at it
            </Button>
          )}
          {report?.isDryRun && (
            <Button look="primary" disabled={fresh === 0 || work.isBusy} onClick={() => work.run()}>
              Import {counted(fresh, 'skill')} as {fresh === 1 ? 'a candidate' : 'candidates'}
            </Button>
          )}
          {report?.isDryRun === false && fresh > 0 && (
            <Button look="primary" onClick={() => go({ screen: 'approvals', id: firstCandidate(report) })}>
              Review {counted(fresh, 'candidate')}
            </Button>
          )}
        </div>
      </form>
    </FormDialog>
  )
}

function firstCandidate({ skills }: SkillImport): string | null {
  return skills.find(({ candidateId }) => candidateId !== null)?.candidateId ?? null
}

const kindLooks = {
  new: { status: 'waiting', word: 'New' },
  update: { status: 'waiting', word: 'Update' },
  same: { status: 'done', word: 'Known already' },
} as const

function Report({ report: { isDryRun, skills, refused } }: { readonly report: SkillImport }) {
  if (skills.length === 0 && refused.length === 0)
    return <Note status="waiting">There is no SKILL.md in it. Nothing was imported.</Note>
  return (
    <div className="import-report scrolls">
      {!isDryRun && <Note status="done">Imported. Each waits in Approvals until you decide.</Note>}
      <ul aria-label="Skills in it">
        {skills.map(({ name, kind, files, warnings }) => (
          <li key={name} className="import-row">
            <Status {...kindLooks[kind]} />
            <span className="medium trunc" title={name}>
              {name}
            </span>
            <span className="mute small num" title={files.map(({ path }) => path).join('\n')}>
              {counted(files.length, 'file')}, {bytesText(files.reduce((sum, { bytes }) => sum + bytes, 0))}
            </span>
            {warnings.map((warning) => (
              <p key={warning} className="small import-more">
                {warning}
              </p>
            ))}
          </li>
        ))}
        {refused.map(({ path, code, message }) => (
          <li key={path} className="import-row">
            <Status status="failed" word="Left out" />
            <span className="mono trunc" title={path}>
              {path}
            </span>
            <code className="mute">{code}</code>
            <p className="small import-more">{message}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}
