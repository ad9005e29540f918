import type { LocalStatus, RecommendedModel } from '../../../../core/domain/local.ts'
import { Button } from '../../../components/button.tsx'
import { ErrorCard, ErrorNote, Skeleton } from '../../../components/card.tsx'
import { bytesText } from '../../../format/figures.ts'
import { DownloadRow } from '../../../local/download-row.tsx'
import { useLocal } from '../../../local/use-local.ts'
import { changeLocal, offeredModels, offerText, pickLocalModel } from '../../../state/local.ts'
import { useAction } from '../../../state/use-load.ts'
import { EmbedderRow } from './embedder-row.tsx'
import { GpuRow } from './gpu-row.tsx'
import { LocalModelRow } from './local-model-row.tsx'

/** Models that the app runs by itself: files of this computer, or recommended ones that it downloads. */
export function LocalSection() {
  const { status, load } = useLocal()
  const pick = useAction(pickLocalModel)
  const isMissing = status?.library.ok === false
  return (
    <>
      <div className="sech">
        <h2>Models in the app</h2>
        {status && !isMissing && (
          <Button icon="file" disabled={pick.isBusy} onClick={() => pick.run()}>
            Choose a GGUF file
          </Button>
        )}
      </div>
      {load.phase === 'failed' && (
        <ErrorCard
          title="The models in the app could not be listed"
          error={load.error}
          actions={<Button onClick={load.retry}>Try again</Button>}
        />
      )}
      {load.phase === 'loading' && !status && (
        <div className="card">
          <Skeleton rows={2} label="Looking at the models in the app" />
        </div>
      )}
      {pick.error && <ErrorCard className="local-error" title="The file was not added" error={pick.error} />}
      {status && <LocalModels status={status} />}
    </>
  )
}

function LocalModels({ status }: { readonly status: LocalStatus }) {
  const { library, models, downloads, folder, freeBytes } = status
  const offers = library.ok ? offeredModels(status) : []
  return (
    <>
      {!library.ok && (
        <ErrorCard className="local-error" title="The part that runs models is not here" error={library.error} />
      )}
      {(models.length > 0 || library.ok) && (
        <div className="card">
          {models.length === 0 && downloads.length === 0 && (
            <p className="card-text dim">
              None yet. A model in the app answers without a server and without a network. Choose a GGUF file of this
              computer, or download one below.
            </p>
          )}
          {models.map((model) => (
            <LocalModelRow key={model.name} model={model} status={status} />
          ))}
          {downloads.map((download) => (
            <DownloadRow key={download.id} download={download} />
          ))}
          <GpuRow status={status} />
        </div>
      )}
      {offers.length > 0 && <Offers offers={offers} freeBytes={freeBytes} />}
      <p className="sub local-folder">
        Downloads go to <span className="mono breaks">{folder}</span>, where {bytesText(freeBytes)} are free.
      </p>
      <EmbedderRow status={status} />
    </>
  )
}

function Offers({ offers, freeBytes }: { readonly offers: readonly RecommendedModel[]; readonly freeBytes: number }) {
  return (
    <>
      <div className="sech minor">
        <h3 className="label">To download</h3>
      </div>
      <div className="card">
        {offers.map((offer) => (
          <OfferRow key={offer.id} offer={offer} freeBytes={freeBytes} />
        ))}
      </div>
    </>
  )
}

function OfferRow({ offer, freeBytes }: { readonly offer: RecommendedModel; readonly freeBytes: number }) {
  const { id, title, words, bytes } = offer
  const download = useAction(() => changeLocal('local.download', { id }))
  const hasRoom = bytes < freeBytes
  return (
    <div className="setgroup">
      <div className="setrow">
        <div>
          {title}
          <div className="sub">{words}</div>
          <div className="sub">{offerText(offer)}</div>
        </div>
        <div className="row">
          {!hasRoom && <span className="mute small">no room for it here</span>}
          <Button
            aria-label={`Download ${title}`}
            disabled={!hasRoom || download.isBusy}
            onClick={() => download.run()}
          >
            Download
          </Button>
        </div>
      </div>
      {download.error && (
        <div className="setmore">
          <ErrorNote title="The download did not begin" error={download.error} />
        </div>
      )}
    </div>
  )
}
