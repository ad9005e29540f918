import type { ToolCall } from '../../../../core/domain/model.ts'
import { JsonView } from '../../../record/json-view.tsx'
import { LongText } from '../../../record/parts.tsx'

/** A call as the model asked for it. */
export function Call({ call }: { readonly call: ToolCall }) {
  return (
    <div className="call">
      <div className="row">
        <span className="mono">{call.name}</span>
        {'invalid' in call && <span className="chip st failed">not run: {call.invalid}</span>}
      </div>
      {'invalid' in call ? <LongText text={call.argumentsRaw} /> : <JsonView value={call.arguments} depth={1} />}
    </div>
  )
}
