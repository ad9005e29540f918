import type { LocalStatus } from '../../../../core/domain/local.ts'
import { type ModelRef, modelRefText, parseModelRef } from '../../../../core/domain/model.ts'
import { ErrorNote } from '../../../components/card.tsx'
import { Choice, type ChoiceOption } from '../../../components/choice.tsx'
import { bytesText } from '../../../format/figures.ts'
import { changeSettings } from '../../../state/load.ts'
import { localRef } from '../../../state/local.ts'
import { useApp } from '../../../state/store.ts'
import { useAction } from '../../../state/use-load.ts'

const words = 'words'

/** By what docs of the memory are found, and what comes of the choice. */
export function EmbedderRow({ status }: { readonly status: LocalStatus }) {
  const embedder = useApp((state) => state.settings?.embedder ?? null)
  const change = useAction((ref: ModelRef | null) => changeSettings({ embedder: ref }))
  return (
    <>
      <div className="sech">
        <h2>How docs are found</h2>
      </div>
      <div className="card">
        <div className="setgroup">
          <div className="setrow">
            <div>
              Search in the memory
              <div className="sub">
                {embedder === null
                  ? 'By words and their spelling: at once, without a model. An embedding model also finds what says the same in other words.'
                  : 'By words and by meaning: each doc is read by the model once, and each search takes a moment. Without the model, words alone find docs.'}
              </div>
            </div>
            <Choice
              label="What finds docs"
              options={optionsOf(status, embedder)}
              value={embedder === null ? words : modelRefText(embedder)}
              disabled={change.isBusy}
              onChange={(value) => change.run(value === words ? null : parseModelRef(value))}
            />
          </div>
          {change.error && (
            <div className="setmore">
              <ErrorNote title="The choice was not saved" error={change.error} />
            </div>
          )}
        </div>
      </div>
    </>
  )
}

function optionsOf({ models, library }: LocalStatus, chosen: ModelRef | null): readonly ChoiceOption[] {
  const embedders = models
    .filter(({ purpose, problem }) => purpose === 'embedding' && problem === null && library.ok)
    .map((model) => ({ value: modelRefText(localRef(model)), title: model.title, detail: bytesText(model.bytes) }))
  const options = [{ value: words, title: 'Words', detail: 'no model' }, ...embedders]
  const value = chosen === null ? words : modelRefText(chosen)
  if (options.some((option) => option.value === value)) return options
  return [...options, { value, title: parseModelRef(value).model, detail: 'not here now' }]
}
