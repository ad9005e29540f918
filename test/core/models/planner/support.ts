import fs from 'node:fs'
import path from 'node:path'
import { type ActionContext, type ActionMemory, CallWaits } from '../../../../core/capabilities/action.ts'
import { actions } from '../../../../core/capabilities/actions/index.ts'
import { AppError } from '../../../../core/domain/error.ts'
import type { JsonObject } from '../../../../core/domain/json.ts'
import { limits } from '../../../../core/domain/limits.ts'
import type { MemoryDoc } from '../../../../core/domain/memory.ts'
import { type ModelMessage, resultText } from '../../../../core/domain/model.ts'
import { createPlanner } from '../../../../core/models/planner/planner.ts'

/** Tuesday, 10 March 2026, noon in UTC. */
const now = Date.parse('2026-03-10T12:00:00Z')
const maxSteps = 12

/** What one request came to: the answer, and what was asked of the actions for it. */
export interface Asked {
  readonly text: string
  readonly steps: number
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[]
  readonly messages: readonly ModelMessage[]
}

/** Sends requests one after the other in one chat, through the planner and the real actions; gives the last one's outcome. */
export async function ask(folder: string, ...requests: readonly string[]): Promise<Asked> {
  const memory = createNotes()
  const messages: ModelMessage[] = [{ role: 'system', content: 'You are an agent.' }]
  let last: Asked = { text: '', steps: 0, calls: [], messages }
  for (const request of requests) {
    messages.push({ role: 'user', content: request })
    last = await run(messages, { folder, memory })
  }
  return last
}

/** The step loop in small: completion, actions in parallel, results in order, until there is a text. */
export async function run(
  messages: ModelMessage[],
  { folder, memory }: { readonly folder: string; readonly memory: ActionMemory },
): Promise<Asked> {
  const planner = createPlanner({ timeZone: 'UTC' })
  const calls: { name: string; arguments: JsonObject }[] = []
  for (let steps = 1; steps <= maxSteps; steps += 1) {
    const completion = await planner.complete(
      { model: 'planner', messages, tools: [] },
      { signal: new AbortController().signal, onDelta: () => {} },
    )
    if (completion.toolCalls.length === 0) {
      messages.push({ role: 'assistant', content: completion.text })
      return { text: completion.text, steps, calls, messages }
    }
    messages.push({ role: 'assistant', content: completion.text, toolCalls: completion.toolCalls })
    const results = await Promise.all(
      completion.toolCalls.map(async (call) => {
        if ('invalid' in call) throw new Error('the planner made an invalid call')
        calls.push({ name: call.name, arguments: call.arguments })
        const content = await resultOf(call.name, call.arguments, contextOf(folder, memory, call.id))
        return { role: 'tool', callId: call.id, name: call.name, content } as const
      }),
    )
    messages.push(...results)
  }
  throw new Error(`no answer within ${maxSteps} steps`)
}

async function resultOf(name: string, given: JsonObject, context: ActionContext): Promise<string> {
  const action = actions.find((each) => each.name === name)
  if (!action) throw new Error(`the planner asked for ${name}, which is no action`)
  try {
    const value = await action.run(action.parameters.parse(given), context)
    if (value instanceof CallWaits) throw new Error(`${name} waits: ${value.reason}`)
    return resultText(value)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return JSON.stringify({ error: { code: error.code, message: error.message } })
  }
}

function contextOf(folder: string, memory: ActionMemory, callKey: string): ActionContext {
  const signal = new AbortController().signal
  return {
    projectId: 'project',
    folder,
    dataDir: '/nowhere',
    threadId: 'thread',
    callKey,
    now,
    timeZone: 'UTC',
    signal,
    memory,
    resultCharacters: limits.actionResultCharacters,
    trash: { place: () => '/nowhere', record: () => undefined },
    sources: [],
    note: () => undefined,
    notify: () => undefined,
  }
}

/** Notes of one project, found by any of the words asked for. */
export function createNotes(): ActionMemory {
  const docs: MemoryDoc[] = []
  return {
    write({ title, content, tags }) {
      const version = docs.filter((d) => d.title === title).length + 1
      const base = { projectId: 'project', type: 'Note', createdAt: now, updatedAt: now, archivedAt: null } as const
      const origin = { provenance: 'action', untrusted: false, sourceThreadId: null, callKey: null } as const
      const doc: MemoryDoc = {
        ...base,
        ...origin,
        id: `doc-${docs.length + 1}`,
        number: docs.length,
        title,
        content,
        tags,
        version,
      }
      docs.push(doc)
      return doc
    },
    read: (idOrTitle) => docs.find((d) => d.id === idOrTitle || d.title === idOrTitle),
    async search(query, limit) {
      const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
      const found = docs.filter((d) => words.some((word) => `${d.title} ${d.content}`.toLowerCase().includes(word)))
      const hits = found.slice(0, limit).map(({ id, type, title, content, updatedAt }) => {
        const why = { ftsRank: 1, vectorRank: null, embedder: 'lexical', untrusted: false, score: 1 }
        return { id, type, title, snippet: content.slice(0, 240), updatedAt, ...why }
      })
      return { hits, total: found.length }
    },
  }
}

/** Lays a folder of a small shop down; every file was changed on 1 February 2026, app.log on 9 March. */
export function layShop(root: string): void {
  for (const [name, content] of Object.entries(shopFiles)) {
    const file = path.join(root, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
    const changed = new Date(name === 'app.log' ? '2026-03-09T08:00:00Z' : '2026-02-01T08:00:00Z')
    fs.utimesSync(file, changed, changed)
  }
}

export const orders = [
  ['1001', '2025-01-03', 'Anna Schmidt', 'Germany', 'Desk Lamp', '2', '59.80', 'paid'],
  ['1002', '2025-01-15', 'Bob Miller', 'USA', 'Standing Desk', '1', '349.90', 'paid'],
  ['1003', '2025-02-02', 'Anna Schmidt', 'Germany', 'Office Chair', '1', '199.00', 'open'],
  ['1004', '2025-02-20', 'Claire Dubois', 'France', 'Desk Lamp', '4', '119.60', 'shipped'],
  ['1005', '2025-03-05', 'Bob Miller', 'USA', 'Notebook', '10', '45.00', 'paid'],
  ['1006', '2025-03-18', 'Dario Rossi', 'Italy', 'Standing Desk', '2', '699.80', 'cancelled'],
  ['1007', '2025-12-30', 'Claire Dubois', 'France', 'Office Chair', '3', '597.00', 'paid'],
  ['1008', '2026-01-08', 'Anna Schmidt', 'Germany', 'Notebook', '20', '90.00', 'open'],
  ['1009', '2026-02-14', 'Emil Novak', '', 'Desk Lamp', '1', '29.90', 'paid'],
  ['1010', '2026-03-01', 'Bob Miller', 'USA', 'Standing Desk', '1', '349.90', 'shipped'],
] as const
export const products = [
  { sku: 'DL1', name: 'Desk Lamp', category: 'lighting', price: 29.9, stock: 120 },
  { sku: 'SD1', name: 'Standing Desk', category: 'furniture', price: 349.9, stock: 8 },
  { sku: 'OC1', name: 'Office Chair', category: 'furniture', price: 199, stock: 15 },
  { sku: 'NB1', name: 'Notebook', category: 'books', price: 4.5, stock: 500 },
  { sku: 'AT1', name: 'Atlas', category: 'books', price: 39.5, stock: 0 },
] as const

const readme =
  '# Shop\n\nThis folder holds the records of a small furniture shop. It sells desks, lamps and chairs.\n\n## Files\n\nOrders are in a table.\n'
export const shopFiles: Readonly<Record<string, string | Uint8Array>> = {
  'README.md': readme,
  'orders.csv': [
    'order_id,date,customer,country,product,quantity,amount,status',
    ...orders.map((row) => row.join(',')),
    '',
  ].join('\n'),
  'products.json': JSON.stringify(products),
  'config.json': '{"name":"shop","version":"1.4.2","settings":{"currency":"EUR","tax":19}}',
  'app.log':
    '2026-03-01 10:00:00 INFO started\n2026-03-01 10:00:05 ERROR timeout while calling payment\n2026-03-01 10:01:00 WARN slow\n2026-03-01 10:02:00 ERROR disk full\n',
  'invoice.py': '"""Compute invoices."""\nimport sys\n\ndef total(rows):\n    # TODO: rounding\n    return sum(rows)\n',
  'logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2]),
  'notes/meeting.md':
    '# Meeting notes\n\nWe met on Monday to talk about the budget. The release is planned for April.\n\n- TODO: ask Anna about the supplier contract\n- TODO: check the budget for the new office\n',
  'notes/price list 2026.txt': 'Lamps cost 29.90.\nChairs cost 199.00.\n',
  'docs/copy-of-readme.md': readme,
  'docs/empty.txt': '',
}
