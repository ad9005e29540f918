import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { type Action, defineAction } from '../../core/capabilities/action.ts'
import { isJsonObject, type Json } from '../../core/domain/json.ts'
import type { ServedAnswer } from '../support/model-server.ts'

export const turns = 4
const callsPerTurn = 3

/** The keys of everything that is done when the thread has answered. */
export const everyKey: readonly string[] = Array.from({ length: turns }, (_, turn) => keysOf(turn)).flat()

function keysOf(turn: number): readonly string[] {
  return Array.from({ length: callsPerTurn }, (_, n) => `t${turn}-${n}`)
}

/** What the model says in a turn, beside its calls. */
export function textOf(turn: number): string {
  return `turn ${turn}: ${'three things are to be touched, in this order. '.repeat(4)}`
}

/** The model of the campaign: what it answers follows from the results in the transcript alone. */
export function answerTo(body: Json): ServedAnswer {
  const messages = isJsonObject(body) && Array.isArray(body.messages) ? body.messages : []
  const results = messages.filter((message) => isJsonObject(message) && message.role === 'tool').length
  const turn = Math.floor(results / callsPerTurn)
  if (turn >= turns) return { text: 'all is done', pieceCharacters: 24 }
  const toolCalls = keysOf(turn).map((key) => ({ name: 'touch', arguments: { key }, id: key }))
  return { text: textOf(turn), toolCalls, pieceCharacters: 24 }
}

/** The only effect: one line of the ledger each. The door does not know that it could be repeated, so it must not. */
export function worldActions(ledger: string): readonly Action[] {
  return [
    defineAction({
      name: 'touch',
      description: 'Touches the world; cannot be taken back.',
      parameters: z.strictObject({ key: z.string() }),
      effects: ['WriteLocal'],
      isIdempotent: false,
      summarize: ({ key }) => key,
      run({ key }) {
        fs.appendFileSync(ledger, `${key}\n`)
        return `touched ${key}`
      },
    }),
  ]
}

export function touched(ledger: string): readonly string[] {
  return fs.existsSync(ledger)
    ? fs
        .readFileSync(ledger, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : []
}

export const ledgerIn = (folder: string) => path.join(folder, 'ledger')
