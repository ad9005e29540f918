import { useState } from 'react'
import type { ModelRef } from '../../../core/domain/model.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { type Price, withPrice } from '../../state/prices.ts'
import { changeSettingsBy } from '../../state/settings.ts'
import { useAction } from '../../state/use-load.ts'
import { type Parsed, parsePrice } from './amounts.ts'

interface PriceFormProps {
  readonly model: ModelRef
  readonly price: Price | null
  onClose(): void
}

/** USD for a million tokens: of the input, of the output, and of input that the provider had cached. */
export function PriceForm({ model, price, onClose }: PriceFormProps) {
  const [input, setInput] = useState(textOf(price?.inputUsd))
  const [output, setOutput] = useState(textOf(price?.outputUsd))
  const [cached, setCached] = useState(textOf(price?.cachedInputUsd))
  const [isTried, setTried] = useState(false)
  const read = readPrice({ input, output, cached })
  const problems = isTried ? read.problems : {}
  const save = useAction(async (next: Price | null) => {
    await changeSettingsBy((settings) => withPrice(settings, model, next))
    onClose()
  })
  return (
    <form
      className="price-form"
      aria-label={`Price of ${model.model}`}
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (read.price) save.run(read.price)
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <Field
        label="Input, USD a million"
        inputMode="decimal"
        // Opened by a press: the next thing is to write.
        autoFocus
        value={input}
        problem={problems.input}
        onChange={(event) => setInput(event.target.value)}
      />
      <Field
        label="Output, USD a million"
        inputMode="decimal"
        value={output}
        problem={problems.output}
        onChange={(event) => setOutput(event.target.value)}
      />
      <Field
        label="Cached input, USD a million"
        inputMode="decimal"
        placeholder="as input"
        value={cached}
        problem={problems.cached}
        onChange={(event) => setCached(event.target.value)}
      />
      <div className="price-acts">
        <Button type="submit" disabled={save.isBusy}>
          Save price
        </Button>
        {price !== null && (
          <Button look="danger" disabled={save.isBusy} onClick={() => save.run(null)}>
            Remove price
          </Button>
        )}
      </div>
      {save.error && <ErrorNote title="The price was not saved" error={save.error} />}
    </form>
  )
}

interface Written {
  readonly input: string
  readonly output: string
  readonly cached: string
}
type Problems = { readonly [Name in keyof Written]?: string | undefined }

function readPrice(written: Written): { readonly price: Price | null; readonly problems: Problems } {
  const [input, output, cached] = [parsePrice(written.input), parsePrice(written.output), parsePrice(written.cached)]
  const problems = { input: problemOf(input, true), output: problemOf(output, true), cached: problemOf(cached, false) }
  const isWhole = input.ok && output.ok && cached.ok && input.value !== null && output.value !== null
  if (!isWhole || input.value === null || output.value === null) return { price: null, problems }
  const price = { inputUsd: input.value, outputUsd: output.value }
  return { price: cached.value === null ? price : { ...price, cachedInputUsd: cached.value }, problems }
}

function problemOf(parsed: Parsed<number | null>, isNeeded: boolean): string | undefined {
  if (!parsed.ok) return parsed.problem
  return isNeeded && parsed.value === null ? 'Write an amount; 0 for what costs nothing.' : undefined
}

function textOf(usd: number | undefined): string {
  return usd === undefined ? '' : String(usd)
}
