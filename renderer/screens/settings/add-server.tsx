import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ErrorCard } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { saveServer, serverAddress, serverTitle } from '../../state/models.ts'
import { useAction } from '../../state/use-load.ts'

/** Any OpenAI-compatible server, by its address and a key where it wants one. */
export function AddServer({ onAdded }: { onAdded(): void }) {
  const [address, setAddress] = useState('')
  const [key, setKey] = useState('')
  const [isTried, setTried] = useState(false)
  const baseUrl = serverAddress(address)
  const problem =
    isTried && baseUrl === null
      ? 'An address begins with http:// or https://, as in http://127.0.0.1:8080/v1.'
      : undefined
  const add = useAction(async (url: string) => {
    await saveServer({ kind: 'openai-compatible', title: serverTitle(url), baseUrl: url, key })
    setAddress('')
    setKey('')
    setTried(false)
    onAdded()
  })
  return (
    <>
      <div className="sech">
        <h2>Add a server</h2>
      </div>
      <form
        className="card add-server"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (baseUrl !== null) add.run(baseUrl)
        }}
      >
        <Field
          label="Address of an OpenAI-compatible server"
          isMono
          placeholder="http://127.0.0.1:8080/v1"
          value={address}
          problem={problem}
          onChange={(event) => setAddress(event.target.value)}
        />
        <Field
          label="Key, where it wants one"
          type="password"
          isMono
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        <Button type="submit" look="primary" disabled={address.trim() === '' || add.isBusy}>
          {add.isBusy ? 'Connecting' : 'Add server'}
        </Button>
        <p className="sub">Keys are kept apart from the settings, in the keychain of this computer where it has one.</p>
      </form>
      {add.error && <ErrorCard className="after-card" title="The server was not added" error={add.error} />}
    </>
  )
}
