import { useCallback, useRef, useState } from 'react'
import { limits } from '../../../core/domain/limits.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { type Undoable, UndoToast } from '../../components/undo-toast.tsx'
import { changeSettingsBy } from '../../state/settings.ts'
import { useApp } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'
import { Unencrypted } from './unencrypted.tsx'
import { isUnencrypted, originOf } from './words.ts'

type Edit = (origins: readonly string[]) => readonly string[]
const none: readonly string[] = []

/** Hosts that the agent may read at any time, because the person says so. */
export function AllowedHosts() {
  const origins = useApp((state) => state.settings?.http.origins ?? none)
  const [done, setDone] = useState<Undoable | null>(null)
  const change = useAction(async (edit: Edit, undoable: Undoable | null) => {
    await changeSettingsBy(({ http }) => ({ http: { ...http, origins: [...edit(http.origins)] } }))
    setDone(undoable)
  })
  const remove = (origin: string, at: number) => {
    const undo = () => change.run((all) => [...all.slice(0, at), origin, ...all.slice(at)], null)
    change.run((all) => all.filter((each) => each !== origin), { text: `${origin} is no longer allowed`, undo })
  }
  return (
    <section className="pane detail" aria-label="Hosts you allow">
      <header className="int-head">
        <h2>Hosts you allow</h2>
        <p className="dim">
          The agent may read these at any time without asking, whichever skill is active. What it would send or change
          there still asks. Plain http and addresses of your own network are reached only where they stand here, or
          where you set them as a server address.
        </p>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is scrolled by keyboard */}
      <div className="pane-body scrolls" tabIndex={0}>
        <div className="int-doc">
          <HostForm
            origins={origins}
            isBusy={change.isBusy}
            onAdd={(origin) => change.run((all) => [...all, origin], null)}
          />
          {change.error && <ErrorNote title="The list was not changed" error={change.error} />}
          <ul className="card allowed" aria-label="Allowed hosts">
            {origins.map((origin, at) => (
              <li key={origin}>
                <span className="mono breaks">{origin}</span>
                {isUnencrypted(origin) && <Unencrypted />}
                <span className="grow" />
                <Button
                  look="ghost"
                  disabled={change.isBusy}
                  aria-label={`Remove ${origin}`}
                  onClick={() => remove(origin, at)}
                >
                  Remove
                </Button>
              </li>
            ))}
            {origins.length === 0 && (
              <li className="dim">None. Before it reads a host that no active skill names, the agent asks.</li>
            )}
          </ul>
          {origins.length > 0 && (
            <p className="mute small">
              {origins.length} of at most {limits.httpOrigins}
            </p>
          )}
        </div>
      </div>
      <UndoToast done={done} onOver={useCallback(() => setDone(null), [])} />
    </section>
  )
}

interface HostFormProps {
  readonly origins: readonly string[]
  readonly isBusy: boolean
  onAdd(origin: string): void
}

function HostForm({ origins, isBusy, onAdd }: HostFormProps) {
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const fieldRef = useRef<HTMLInputElement>(null)
  const read = originOf(text, origins)
  return (
    <form
      className="address-form"
      aria-label="Allow a host"
      onSubmit={(event) => {
        event.preventDefault()
        if (!read.ok) return setTried(true)
        onAdd(read.value)
        setText('')
        fieldRef.current?.focus()
      }}
    >
      <div className="address-line">
        <Field
          ref={fieldRef}
          label="Host"
          isMono
          placeholder="https://docs.example.com"
          maxLength={2_000}
          value={text}
          problem={isTried && !read.ok ? read.problem : undefined}
          onChange={(event) => {
            setText(event.target.value)
            setTried(false)
          }}
        />
        <Button look="primary" type="submit" disabled={isBusy || text.trim() === ''}>
          Allow this host
        </Button>
      </div>
      {read.ok && isUnencrypted(read.value) && (
        <Note status="waiting">
          Plain http is not encrypted: whoever is on the way can read and change what the agent reads. Allow it for
          servers of your own network only.
        </Note>
      )}
    </form>
  )
}
