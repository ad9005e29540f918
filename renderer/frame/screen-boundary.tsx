import { Component, type ReactNode } from 'react'
import { type ErrorBody, errorBody } from '../../core/domain/error.ts'
import { Button } from '../components/button.tsx'
import { ErrorCard } from '../components/card.tsx'
import { home } from '../routes.ts'
import { go } from '../state/navigation.ts'

interface BoundaryProps {
  /** Where the window is: another place is drawn anew. */
  readonly place: string
  readonly children: ReactNode
}
interface BoundaryState {
  readonly place: string
  readonly error: ErrorBody | null
}

/** A screen that cannot be drawn leaves the frame standing. A class, because React has no other way to catch it. */
export class ScreenBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { place: this.props.place, error: null }

  static getDerivedStateFromError(error: unknown): Pick<BoundaryState, 'error'> {
    return { error: errorBody(error) }
  }

  static getDerivedStateFromProps(props: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return props.place === state.place ? null : { place: props.place, error: null }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <main className="split lone">
        <h1 className="sr">An error</h1>
        <ErrorCard
          title="This screen could not be drawn"
          error={error}
          actions={
            <>
              <Button look="primary" onClick={() => this.setState({ error: null })}>
                Try again
              </Button>
              <Button onClick={() => go(home)}>Go to the chat</Button>
            </>
          }
        />
      </main>
    )
  }
}
