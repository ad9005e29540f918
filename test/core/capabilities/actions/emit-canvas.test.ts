import { describe, expect, it } from 'vitest'
import type { ActionFact } from '../../../../core/capabilities/action.ts'
import { canvasSchema } from '../../../../core/domain/canvas.ts'
import { limits } from '../../../../core/domain/limits.ts'
import { eventsOf, folderWith, runGoal, startEngine, useScriptedModel } from '../../../support/engine.ts'
import { scriptedCall, scriptedModel } from '../../../support/scripted-model.ts'
import { runAction } from './project.ts'

async function emit(spec: object) {
  const facts: ActionFact[] = []
  const result = await runAction('emit_canvas', spec, { callKey: 't1/3/2', note: (fact) => void facts.push(fact) })
  return { result, facts }
}

const chart = {
  kind: 'chart',
  title: 'Fish',
  chart: 'bar',
  x: 'day',
  series: [{ key: 'n' }],
  rows: [{ day: 'Mo', n: 7 }],
}
const table = { kind: 'table', title: 'Fish', columns: [{ key: 'n' }], rows: [{ n: 7 }] }

describe('emit_canvas', () => {
  it.each([chart, table, { kind: 'markdown', title: 'Fish', text: '# 7' }])('draws a $kind', async (spec) => {
    const { result, facts } = await emit(spec)
    expect(result).toEqual({ id: 'card-3.2' })
    expect(facts).toEqual([
      {
        kind: 'canvas.emitted',
        data: { id: 'card-3.2', kind: spec.kind, title: 'Fish' },
        body: { canvas: { id: 'card-3.2', ...spec } },
      },
    ])
  })

  it('keeps an id that it is given, so that a card can be drawn anew', async () => {
    expect((await emit({ ...table, id: 'fish' })).result).toEqual({ id: 'fish' })
  })

  it.each([
    ['a chart without rows', { ...chart, rows: [] }, 'rows'],
    ['a table with the keys of a chart', { ...table, x: 'day' }, 'x'],
    ['Markdown without text', { kind: 'markdown', title: 'Fish' }, 'text'],
    ['a cell that is an object', { ...table, rows: [{ n: {} }] }, 'rows'],
  ])('refuses %s, and says what is wrong', async (_what, spec, word) => {
    await expect(emit(spec)).rejects.toMatchObject({ code: 'action.args', message: expect.stringContaining(word) })
  })

  it.each([
    ['one byte', 'x'],
    ['three bytes', '水'],
  ])('takes a card of 256 kB in signs of %s and none that is larger by one', (_of, sign) => {
    const rows = Array.from({ length: 140 }, () => ({ n: '' }))
    /** Its cells filled up until the whole has so many bytes more than it may. */
    const filled = (more: number) => {
      let left = limits.canvasBytes + more - Buffer.byteLength(JSON.stringify({ id: 'a', ...table, rows }))
      const grown = rows.map(() => {
        const signs = Math.min(Math.floor(left / Buffer.byteLength(sign)), 1_900)
        left -= signs * Buffer.byteLength(sign)
        const rest = signs < 1_900 ? left : 0
        left -= rest
        return { n: sign.repeat(signs) + 'x'.repeat(rest) }
      })
      return { id: 'a', ...table, rows: grown }
    }
    expect(Buffer.byteLength(JSON.stringify(filled(0)))).toBe(limits.canvasBytes)
    expect(canvasSchema.safeParse(filled(0)).success).toBe(true)
    const over = canvasSchema.safeParse(filled(1))
    expect(over.success).toBe(false)
    expect(over.error?.issues[0]?.message).toBe('The card is larger than 256 kB.')
  })

  it('stands on the record of its thread, just before the result of its call', async () => {
    const model = scriptedModel((_request, n) =>
      n === 0 ? { toolCalls: [scriptedCall('emit_canvas', table)] } : { text: 'drawn' },
    )
    const engine = await startEngine({ embedded: { scripted: model } })
    await useScriptedModel(engine)
    const thread = await runGoal(engine, folderWith({}), 'draw')
    const events = eventsOf(engine, thread.id)
    const at = events.findIndex(({ kind }) => kind === 'canvas.emitted')
    expect(events[at]).toMatchObject({ data: { step: 0, path: '1', id: 'card-0.1', kind: 'table', title: 'Fish' } })
    expect(events[at + 1]).toMatchObject({ kind: 'action.finished', body: { result: { id: 'card-0.1' } } })
  })
})
