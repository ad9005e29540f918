import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { estimateTokens } from '../../../../core/domain/text.ts'
import { codeRunner } from './code-host.ts'

const text = readFileSync(path.resolve(import.meta.dirname, '../../../../core/orchestrator/prompts/code.md'), 'utf8')
const { run } = codeRunner()

test('the part of the prompt about code costs at most 450 tokens', () => {
  expect(estimateTokens(text)).toBeLessThanOrEqual(450)
})

test('its examples run as they stand', async () => {
  const [first = '', second = ''] = [...text.matchAll(/^```repl\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
  expect(await run(first)).toMatchObject({ failure: null, value: 6, saved: { words: 6 } })
  expect(await run(second, {}, { words: 1_234 })).toMatchObject({ finals: ['The notes have 1,234 words.'] })
})
