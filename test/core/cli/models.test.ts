import { describe, expect, onTestFinished, test } from 'vitest'
import { probeModels } from '../../../core/cli/models.ts'
import type { ModelRef } from '../../../core/domain/model.ts'
import type { Engine, Secrets } from '../../../core/engine.ts'
import { startEngine } from '../../support/engine.ts'
import { startHostedServer } from '../../support/hosted-server.ts'
import { startModelServer } from '../../support/model-server.ts'
import { accessTo, printed } from './support.ts'

const planner = { providerId: 'planner', model: 'planner' }

function keyring(): Secrets {
  const values = new Map<string, string>()
  return {
    backend: 'a keyring of this test',
    isProtected: true,
    get: async (name) => values.get(name),
    set: async (name, value) => void values.set(name, value),
    remove: async (name) => void values.delete(name),
  }
}

async function withTier(engine: Engine, forte: ModelRef) {
  await engine.api.call('settings.set', { patch: { tiers: { minuet: planner, allegro: planner, forte } } })
}

/** A server on this computer with two models, and OpenAI with two that cost money. */
async function startBoth() {
  const here = await startModelServer(() => ({ text: 'ready' }), { models: ['small', 'large'] })
  const hosted = await startHostedServer('openai', () => ({ text: 'ready' }), {
    '/v1/models': { data: [{ id: 'gpt-5' }, { id: 'gpt-5-mini' }] },
  })
  onTestFinished(() => here.close())
  onTestFinished(() => hosted.close())
  const engine = await startEngine({ secrets: keyring() })
  const save = async (kind: 'openai' | 'openai-compatible', baseUrl: string, key?: string) =>
    (await engine.api.call('provider.save', { provider: { kind, title: kind, baseUrl }, ...(key && { key }) })).id
  const ids = {
    here: await save('openai-compatible', here.baseUrl),
    hosted: await save('openai', hosted.baseUrl, 'sk'),
  }
  const paid = () => hosted.requests.filter(({ method }) => method === 'POST').map(({ body }) => body.model)
  return { engine, ids, paid }
}

describe('model probe without a name', () => {
  test('asks the models of this computer and those of the tiers; what costs money is named first', async () => {
    const { engine, ids, paid } = await startBoth()
    await withTier(engine, { providerId: ids.hosted, model: 'gpt-5' })
    const { terminal, lines, err } = printed(true)
    expect(await probeModels(accessTo(engine), terminal, undefined)).toBe(0)
    expect(
      lines()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['gpt-5', 'large', 'planner', 'small'])
    expect(paid()).toEqual(['gpt-5'])
    expect(err()).toContain('1 model of servers elsewhere was not asked')
  })

  test('asks a model elsewhere that is named', async () => {
    const { engine, paid } = await startBoth()
    const { terminal, lines } = printed(true)
    expect(await probeModels(accessTo(engine), terminal, 'gpt-5-mini')).toBe(0)
    expect(lines()).toMatchObject([{ name: 'gpt-5-mini' }])
    expect(paid()).toEqual(['gpt-5-mini'])
  })

  test.each([
    [
      'whose server has no key',
      async (engine: Engine) => {
        const provider = { kind: 'openai', title: 'Keyless', baseUrl: null } as const
        return (await engine.api.call('provider.save', { provider })).id
      },
      'model.auth',
    ],
    ['whose server is gone', async () => 'prv_gone', 'model.none'],
  ])('a tier %s is a line with its error, and the others are asked all the same', async (_, add, code) => {
    const { engine } = await startBoth()
    const providerId = await add(engine)
    await withTier(engine, { providerId, model: 'gpt-5' })
    const { terminal, lines } = printed(true)
    expect(await probeModels(accessTo(engine), terminal, undefined)).toBe(1)
    const shown = lines()
    expect(shown).toContainEqual(
      expect.objectContaining({ name: 'gpt-5', provider: providerId, error: expect.objectContaining({ code }) }),
    )
    expect(shown).toContainEqual(expect.objectContaining({ name: 'small', firstTokenMs: expect.any(Number) }))
  })
})
