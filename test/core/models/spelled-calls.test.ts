import { expect, test } from 'vitest'
import { startModelServer } from '../../support/model-server.ts'
import { ask, localProvider, modelsOn } from './support.ts'

test('a call that thinking spells out is a thought: never carried out, never twice, no tags in the text', async () => {
  const text = '<think>plan <tool_call>{"name":"ls","arguments":{}}</tool_call></think>'
  const toolCalls = [{ name: 'ls', arguments: {} }]
  const server = await startModelServer([
    { text, pieceCharacters: 1 },
    { text, pieceCharacters: 1, toolCalls },
  ])
  const models = modelsOn(localProvider(server.baseUrl))
  const thought = (await ask(models)).completed?.completion
  expect(thought).toMatchObject({ text: '', toolCalls: [], reasoning: expect.stringContaining('<tool_call>') })
  const asked = (await ask(models)).completed?.completion
  expect(asked).toMatchObject({ text: '', toolCalls: [{ name: 'ls', arguments: {} }] })
  expect(asked?.toolCalls).toHaveLength(1)
  await models.close()
  await server.close()
})
