import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { CanvasCards } from '../../../renderer/screens/chat/canvas-cards.tsx'
import { type AppState, initialState } from '../../../renderer/state/store.ts'
import { callRow } from '../support.ts'

const shown = vi.hoisted(() => ({ state: undefined as unknown }))
vi.mock('../../../renderer/state/store.ts', async (original) => ({
  ...(await original<object>()),
  // A page that is not drawn by a browser sees the first state only.
  useApp: (select: (state: unknown) => unknown) => select(shown.state),
}))

const card = (id: string, title: string, seq: number) =>
  ({ step: 0, path: '1', id, kind: 'table', title, seq }) as const
const childRow = (path: string, childId: string, startSeq: number) =>
  callRow({ kind: 'child', path, name: '#2', childId, startSeq })

test('what the runs of a turn drew stands in it too, run by run, where two chose the same id', () => {
  const known = {
    ...initialState.known,
    calls: { t1: { '0/2.1': childRow('2.1', 't3', 9), '0/1.1': childRow('1.1', 't2', 5) } },
    canvases: {
      t1: [card('a', 'Own', 3)],
      t2: [card('a', 'Fish', 6)],
      t3: [card('a', 'Crabs', 10)],
      t9: [card('a', 'No', 1)],
    },
  }
  shown.state = { ...initialState, known } satisfies AppState
  const html = renderToStaticMarkup(<CanvasCards threadId="t1" />)
  expect([...html.matchAll(/aria-label="([^"]+)"/g)].map(([, title]) => title)).toEqual(['Own', 'Fish', 'Crabs'])
})
