import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { z } from 'zod'
import { textOfStep } from './text-of-step.mjs'
import { timed } from './timed.mjs'

// Plain JavaScript: its packages are installed by `npm run bench` only, so its types are not there for the check.

/** Enough to make its files and to compile; as many as are measured would take minutes. */
const warmUpSteps = 50

/**
 * LangGraph's agent loop (a node that answers at once, its own ToolNode with the same no-op action) with SqliteSaver on a
 * fresh file: the peer that stores every step too. Answers too what a step adds on disk.
 */
export async function langGraphLoop({ steps, textBytes, durability }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-langgraph-'))
  const file = path.join(folder, 'checkpoints.db')
  const saver = SqliteSaver.fromConnString(file)
  let [asked, until] = [0, 0]
  const answer = () => {
    asked += 1
    const usage_metadata = { input_tokens: 100, output_tokens: 20, total_tokens: 120 }
    if (asked > until) return new AIMessage({ content: 'done', usage_metadata })
    const call = { id: `c${asked}`, name: 'noop', args: { text: textOfStep(asked, textBytes) }, type: 'tool_call' }
    return new AIMessage({ content: '', tool_calls: [call], usage_metadata })
  }
  const noop = tool(async ({ text }) => text, {
    name: 'noop',
    description: 'Answers its text.',
    schema: z.object({ text: z.string() }),
  })
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('model', async () => ({ messages: [answer()] }))
    .addNode('tools', new ToolNode([noop]))
    .addEdge(START, 'model')
    .addConditionalEdges('model', ({ messages }) => (messages.at(-1)?.tool_calls?.length > 0 ? 'tools' : END))
    .addEdge('tools', 'model')
    .compile({ checkpointer: saver })
  const run = async (thread, count) => {
    ;[asked, until] = [0, count]
    const config = {
      configurable: { thread_id: thread },
      recursionLimit: 2 * count + 10,
      ...(durability && { durability }),
    }
    let said = 0
    const figures = await timed(count, async () => {
      said = (await graph.invoke({ messages: [new HumanMessage('go')] }, config)).messages.length
    })
    if (said !== 2 * count + 2) throw new Error(`the peer ended with ${said} messages`)
    return figures
  }
  try {
    await run('first', warmUpSteps)
    const size = () => {
      saver.db.pragma('wal_checkpoint(RESTART)')
      return fs.statSync(file).size
    }
    const before = size()
    const figures = await run('measured', steps)
    return { ...figures, diskBytesPerStep: (size() - before) / steps }
  } finally {
    saver.db.close()
    fs.rmSync(folder, { recursive: true })
  }
}
