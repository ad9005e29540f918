import { expect, test } from 'vitest'
import {
  bytesText,
  clockText,
  counted,
  durationText,
  folderTail,
  middleCut,
  tokensText,
  windowText,
} from '../../../renderer/format/figures.ts'

test.each([
  [96, '96 ms'],
  [999.4, '999 ms'],
  [3_400, '3.4 s'],
  [59_900, '59.9 s'],
  [59_960, '0:59'],
  [60_000, '1:00'],
  [952_000, '15:52'],
  [3_723_000, '1:02:03'],
])('%i ms last %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

test('a clock never runs below zero', () => {
  expect(clockText(-500)).toBe('0:00')
})

test.each([
  [0, '0'],
  [214, '214'],
  [1_240, '1.2k'],
  [9_960, '10k'],
  [118_200, '118k'],
  [1_300_000, '1.3M'],
])('%i tokens read %s', (tokens, text) => {
  expect(tokensText(tokens)).toBe(text)
})

test('windows and sizes read as they are named', () => {
  expect(windowText(32_768)).toBe('32k')
  expect(windowText(200_000)).toBe('200k')
  expect(windowText(8_000)).toBe('8k')
  expect(windowText(9_500)).toBe('9.5k')
  expect(bytesText(24_210_000)).toBe('24 MB')
  expect(bytesText(512)).toBe('512 B')
})

test('one is one and two are two', () => {
  expect(counted(1, 'step')).toBe('1 step')
  expect(counted(1_200, 'match', 'matches')).toBe('1,200 matches')
})

test('paths keep their beginning and their end', () => {
  expect(middleCut('/home/ada/Projects/saltmarsh/docs', 20)).toHaveLength(20)
  expect(middleCut('/home/ada/Projects/saltmarsh/docs', 20)).toMatch(/^\/home.*docs$/)
  expect(folderTail('/home/ada/Projects/saltmarsh/docs/')).toBe('saltmarsh/docs')
  expect(folderTail('C:\\Users\\ada\\notes')).toBe('ada/notes')
  expect(folderTail('/')).toBe('/')
})
