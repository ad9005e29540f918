import type { SkillDetail } from '../../../core/domain/skill.ts'
import { Button } from '../../components/button.tsx'
import { call } from '../../engine/client.ts'
import { bytesText } from '../../format/figures.ts'
import { supervise } from '../../state/store.ts'
import { resourceKinds } from './words.ts'

/** What lies beside SKILL.md: read on demand, never run by itself. */
export function FilesTab({ skill: { resources, file, place } }: { readonly skill: SkillDetail }) {
  return (
    <>
      <div className="sk-bar">
        <span className="small dim breaks">
          {file === null ? `Lies in the store only; it came from ${place}.` : <span className="mono">{file}</span>}
        </span>
        <span className="grow" />
        {file !== null && (
          <Button onClick={() => supervise(() => call('shell.showFile', { path: file }))}>Show in its folder</Button>
        )}
      </div>
      {resources.length === 0 ? (
        <p className="small dim sk-note">No other file lies beside its SKILL.md.</p>
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col">Kind</th>
              <th scope="col" className="num">
                Size
              </th>
            </tr>
          </thead>
          <tbody>
            {resources.map(({ path, bytes, kind }) => (
              <tr key={path}>
                <td className="mono trunc" title={path}>
                  {path}
                </td>
                <td className="dim">{resourceKinds[kind]}</td>
                <td className="num">{bytesText(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
