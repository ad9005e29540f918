import type { LocalModel, LocalStatus } from '../../../core/domain/local.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { Icon } from '../../components/icon.tsx'
import { bytesText } from '../../format/figures.ts'
import { DownloadRow } from '../../local/download-row.tsx'
import { useLocal } from '../../local/use-local.ts'
import {
  changeLocal,
  localRef,
  modelDownloads,
  offerText,
  pickLocalModel,
  smallestOffer,
  usableModels,
} from '../../state/local.ts'
import { useAction } from '../../state/use-load.ts'
import { ProbeNote } from './probe-note.tsx'

interface InAppModelProps {
  /** The one that Continue takes; undefined while there is none. */
  readonly chosen: LocalModel | undefined
  onChoose(name: string): void
}

/** A model that the app runs by itself: one that is there, a file, or the smallest that can be downloaded. */
export function InAppModel({ chosen, onChoose }: InAppModelProps) {
  const { status, load } = useLocal()
  if (load.phase === 'failed' && status === null) return <Problem text={load.error.userMessage} />
  if (status === null) return <span className="sub">Looking at the models in the app.</span>
  if (!status.library.ok) return <Problem text={status.library.error.userMessage} />
  if (chosen === undefined) return <Offer status={status} />
  return (
    <>
      <div className="fr-field">
        <span>Model</span>
        <Choice
          label="Model in the app"
          options={usableModels(status).map(({ name, title, bytes }) => ({
            ...{ value: name, title, detail: bytesText(bytes) },
          }))}
          value={chosen.name}
          onChange={onChoose}
        />
      </div>
      <ProbeNote key={chosen.name} {...localRef(chosen)} />
    </>
  )
}

function Problem({ text }: { readonly text: string }) {
  return (
    <p className="field-err">
      <Icon name="alert" size="small" />
      <span>{text}</span>
    </p>
  )
}

function Offer({ status }: { readonly status: LocalStatus }) {
  const downloads = modelDownloads(status)
  const pick = useAction(pickLocalModel)
  const offer = smallestOffer(status)
  const download = useAction((id: string) => changeLocal('local.download', { id }))
  const error = pick.error ?? download.error
  return (
    <>
      {downloads.map((each) => (
        <DownloadRow key={each.id} download={each} />
      ))}
      {downloads.length === 0 && (
        <>
          <span className="sub">
            {offer ? `${offer.title}: ${offer.words} ${offerText(offer)}.` : 'Choose a model file of this computer.'}
          </span>
          <div className="fr-acts">
            {offer && (
              <Button icon="download" disabled={download.isBusy} onClick={() => download.run(offer.id)}>
                Download {offer.title}
              </Button>
            )}
            <Button icon="file" disabled={pick.isBusy} onClick={() => pick.run()}>
              Choose a GGUF file
            </Button>
          </div>
        </>
      )}
      {error && (
        <div className="fr-note">
          <ErrorNote title="Nothing was added" error={error} />
        </div>
      )}
    </>
  )
}
