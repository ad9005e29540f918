import { memo, useCallback, useMemo } from 'react'
import { CanvasCardView } from '../../canvas/canvas-card.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { canvasSpan, childrenIn, loadCanvases } from '../../state/canvases.ts'
import { useApp } from '../../state/store.ts'
import { useLoad } from '../../state/use-load.ts'

interface CanvasCardsProps {
  readonly threadId: string
}

/** What a thread drew, below its steps and before what it says, then what its children drew; nothing where none drew anything. */
export const CanvasCards = memo(WithChildren)

function WithChildren({ threadId }: CanvasCardsProps) {
  const calls = useApp((state) => state.known.calls[threadId])
  const children = useMemo(() => childrenIn(calls), [calls])
  return (
    <>
      <OwnCards threadId={threadId} />
      {children.map((id) => (
        <CanvasCards key={id} threadId={id} />
      ))}
    </>
  )
}

function OwnCards({ threadId }: CanvasCardsProps) {
  // Moves when a call that draws has begun or ended, and once the index of calls is there.
  const until = useApp((state) => canvasSpan(state.known.calls[threadId])?.until ?? 0)
  const load = useLoad(useCallback(() => loadCanvases(threadId), [threadId, until]))
  const cards = useApp((state) => state.known.canvases[threadId])
  if (load.phase !== 'failed' && (cards === undefined || cards.length === 0)) return null
  return (
    <div className="canvas-cards">
      {load.phase === 'failed' && <ErrorNote title="What it drew could not be read" error={load.error} />}
      {cards?.map((card) => (
        <CanvasCardView key={card.id} card={card} />
      ))}
    </div>
  )
}
