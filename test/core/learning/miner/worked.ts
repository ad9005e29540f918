import type { Episode } from '../../../../core/learning/miner/episode.ts'
import { type Asked, calculated, createRecorder, got, readFile, sent } from './recorder.ts'

/** An episode out of its steps. */
export function episode(
  threadId: string,
  goal: string,
  steps: readonly (readonly Asked[])[],
  answer = 'Done.',
): Episode {
  const recorder = createRecorder()
  for (const calls of steps) recorder.step(...calls)
  return recorder.episode({ threadId, goal, answer, endedAt: Number(/\d+$/.exec(threadId)?.[0] ?? 0) * 3_600_000 })
}

const shop = 'http://127.0.0.1:4870'
const shopDoc = `# Shop API\n- Base: ${shop}/shop\n- GET /products?name= and GET /stock/{sku}?site=\n`

/** Worked example of learning 3.11: what a product in one place is worth. */
export function stockThreads(currency = 'EUR'): readonly Episode[] {
  const rows = [
    ['Wool Rug', 'Graz', 'WR-11', 4, 12.5],
    ['Felt Mat', 'Turku', 'FM-20', 7, 3.25],
    ['Cork Board', 'Porto', 'CB-37', 11, 9.75],
    ['Clay Pot', 'Lyon', 'CP-42', 2, 30.5],
  ] as const
  return rows.map(([name, site, sku, quantity, price], at) => {
    const value = quantity * price
    return episode(
      `stock ${at}`,
      `What is the stock of ${name} in ${site} worth at list price?`,
      [
        [readFile('API.md', shopDoc)],
        [got(`${shop}/shop/products`, { name }, { products: [{ sku, name }] })],
        [got(`${shop}/shop/stock/${sku}`, { site }, { stock: [{ sku, site, quantity }] })],
        [got(`${shop}/shop/prices/${sku}`, {}, { price, currency })],
        [calculated(`${quantity} * ${price}`, value)],
      ],
      `It is worth ${value}.`,
    )
  })
}

interface Order {
  readonly id: string
  readonly total: number
  readonly status?: string
  readonly payment?: string
  /** What was done about it. */
  readonly done?: 'refunds' | 'returns'
}

const refundDoc =
  'Rules for a refund request:\n- paid by card: POST /refunds with the full total.\n- shipped: POST /returns.\n'

/** Requests that look alike; what is right depends on the order. */
export function orderThread(
  at: number,
  { id, total, status = 'paid', payment = 'card', done = 'refunds' }: Order,
): Episode {
  const body = done === 'refunds' ? { order_id: id, amount: total } : { order_id: id }
  return episode(
    `order ${at}`,
    [
      'Handle the refund request for order %.',
      'Order %: the buyer asks for a refund.',
      'Please process a refund of order %.',
    ][at % 3]?.replace('%', id) ?? '',
    [
      [readFile('API.md', refundDoc)],
      [got(`${shop}/orders/orders/${id}`, {}, { id, status, payment, total, customer: `customer ${at}` })],
      [sent('POST', `${shop}/orders/${done}`, body)],
    ],
    `Made a full refund of ${total} for ${id}.`,
  )
}

export function orderThreads(): readonly Episode[] {
  const orders = [
    { id: 'A-2039', total: 31.94 },
    { id: 'A-2082', total: 210.5 },
    { id: 'A-2119', total: 383.34 },
  ]
  return orders.map((order, at) => orderThread(at, order))
}
