import { hash } from 'node:crypto'
import type { ActionResult } from '../domain/action.ts'
import { resultText, type ToolCall } from '../domain/model.ts'

/** The call that came most often with the same arguments and the same result. */
export interface Repeat {
  readonly name: string
  readonly count: number
}

/** Counts in how many steps the same call gave the same result (asks A11). A change of the world begins anew. */
export interface Repeats {
  /** One step's calls with their results; `changed`: one of them wrote something. */
  note(calls: readonly ToolCall[], results: readonly ActionResult[], changed: boolean): Repeat | null
  /** One step's code with what it printed: code is the call `code` with the program as its argument. */
  noteCode(source: string, output: string, changed: boolean): Repeat | null
}

export function createRepeats(): Repeats {
  const counts = new Map<string, number>()

  function count(signatures: readonly string[], changed: boolean): Repeat | null {
    if (changed) counts.clear()
    let most: Repeat | null = null
    for (const signature of new Set(signatures)) {
      const count = (counts.get(signature) ?? 0) + 1
      counts.set(signature, count)
      if (count > (most?.count ?? 0)) most = { name: signature.slice(0, signature.indexOf(' ')), count }
    }
    return most
  }

  return {
    note: (calls, results, changed) =>
      count(
        calls.map((call, at) => signatureOf(call, results[at])),
        changed,
      ),
    noteCode: (source, output, changed) =>
      count([`code ${hash('sha1', `${source.length} ${source}${output}`, 'base64')}`], changed),
  }
}

function signatureOf(call: ToolCall, result: ActionResult | undefined): string {
  const args = 'arguments' in call ? JSON.stringify(call.arguments) : call.argumentsRaw
  const outcome = result === undefined ? '' : result.ok ? resultText(result.value) : result.error.code
  return `${call.name} ${hash('sha1', `${args.length} ${result?.ok} ${args}${outcome}`, 'base64')}`
}
