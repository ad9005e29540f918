import { expect, it } from 'vitest'
import { chatHistory } from '../../../../core/models/local/chat-history.ts'

it('everything between two messages of the user is one turn of the model, with calls and results in it', () => {
  const history = chatHistory([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Compare them.' },
    {
      role: 'assistant',
      content: 'Looking.',
      toolCalls: [
        { id: '1', name: 'read', arguments: { file: 'a' } },
        { id: '2', name: 'read', arguments: { file: 'b' } },
      ],
    },
    { role: 'tool', callId: '1', name: 'read', content: '{"lines":3}' },
    { role: 'tool', callId: '2', name: 'read', content: 'not [JSON' },
    { role: 'assistant', content: 'Both have three.' },
    { role: 'user', content: 'Thanks.' },
  ])
  const call = { type: 'functionCall', name: 'read' }
  expect(history).toEqual([
    { type: 'system', text: 'Be brief.' },
    { type: 'user', text: 'Compare them.' },
    {
      type: 'model',
      response: [
        'Looking.',
        { ...call, params: { file: 'a' }, result: { lines: 3 }, startsNewChunk: true },
        { ...call, params: { file: 'b' }, result: 'not [JSON', startsNewChunk: false },
        'Both have three.',
      ],
    },
    { type: 'user', text: 'Thanks.' },
    { type: 'model', response: [] },
  ])
})

it('after a result the model goes on in the turn that it began', () => {
  const history = chatHistory([
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'read', arguments: {} }] },
    { role: 'tool', callId: '1', name: 'read', content: '[no result]' },
  ])
  expect(history.map(({ type }) => type)).toEqual(['user', 'model'])
})
