import { Note } from '../../components/card.tsx'
import { counted } from '../../format/figures.ts'
import { routeHash } from '../../routes.ts'
import { useApp } from '../../state/store.ts'

/** Rules, insights and settings wait too, on a screen of their own: said here, so that nobody looks for them in vain. */
export function LearntLine() {
  const waiting = useApp((state) => state.learntStatus?.pending ?? 0)
  if (waiting === 0) return null
  return (
    <div className="learnt-line">
      <Note
        status="waiting"
        action={
          <a className="link" href={routeHash({ screen: 'learnt', id: null })}>
            What I learnt
          </a>
        }
      >
        {counted(waiting, 'proposal')} to learn from {waiting === 1 ? 'waits' : 'wait'} on another screen.
      </Note>
    </div>
  )
}
