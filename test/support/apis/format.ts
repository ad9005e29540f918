import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json } from '../../../core/domain/json.ts'
import { estimateTokens } from '../../../core/domain/text.ts'
import type { Api } from './server.ts'
import { compileFault, documentedCalls, isDocumented, runPython, type ShippedSkill } from './skill.ts'

/** Seed E, Integration Scaling Strategy: what one integration may cost. */
const mostTokens = 1_500

/** What every skill that ships keeps: the format, the cost, and snippets that are Python. */
export function describeFormat({ text, verdict, file }: ShippedSkill): void {
  describe('the file', () => {
    it('is read without a word of complaint', () => {
      expect(verdict).toMatchObject({ outcome: 'ok', diagnostics: [] })
    })

    // The model is sent the text, and name, parameters and one line of each snippet. The whole file, with its front
    // matter and the code of the snippets, is more than that, and is within the limit too.
    it(`costs at most ${mostTokens} tokens, counted over the whole file`, () => {
      expect(estimateTokens(text)).toBeLessThanOrEqual(mostTokens)
      expect(file.activation.max_context_tokens).toBe(mostTokens)
    })

    it('has two snippets or more, each named after a function that it defines and with a line about it', () => {
      expect(file.snippets.length).toBeGreaterThanOrEqual(2)
      for (const { name, code, description } of file.snippets) {
        expect(code).toMatch(new RegExp(`^def ${name}\\(`))
        expect(description).not.toBe('')
      }
    })

    it.each(file.snippets)('$name compiles by itself', async ({ code }) => {
      expect(await compileFault(code)).toBeUndefined()
    })
  })
}

/** A call as it stands in the text, the Python that makes it, and what the text promises of the answer. */
export type CallRow = readonly [documented: string, python: string, status: number, body: Json | ((body: Json) => void)]

export interface CallTable {
  readonly skill: ShippedSkill
  /** The base address of the text: paths of the table begin below it. */
  readonly base: string
  readonly start: () => Promise<Api>
  readonly secrets?: Readonly<Record<string, string>>
  readonly rows: readonly CallRow[]
}

/** Text and server agree: every call that the text documents is made once, and is answered as the text says. */
export function describeCalls({ skill, base, start, secrets = {}, rows }: CallTable): void {
  describe('the calls of the text', () => {
    it('are all made here', () => {
      expect(rows.map(([documented]) => documented)).toEqual(documentedCalls(skill.file))
    })

    it.each(rows)('%s', async (documented, python, status, body) => {
      const api = await start()
      const answer = await runPython(python, { skill: skill.file, api, secrets })
      expect(answer).toMatchObject({ status })
      const given = isJsonObject(answer) ? (answer.body ?? null) : null
      if (typeof body === 'function') body(given)
      else if (typeof body === 'object' && body !== null) expect(given).toMatchObject(body)
      else expect(given).toEqual(body)
      const request = api.requests.at(-1)
      expect(request !== undefined && isDocumented(documented, base, request)).toBe(true)
    })
  })
}
