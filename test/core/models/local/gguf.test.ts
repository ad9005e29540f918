import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readGguf } from '../../../../core/models/local/gguf.ts'
import { temporaryFolder } from '../../../support/engine.ts'
import { count, string, type TinyLlama, writeTinyLlama } from '../../../support/tiny-gguf.ts'

const tiny = (options: TinyLlama = {}) => writeTinyLlama(path.join(temporaryFolder(), 'tiny.gguf'), options)
const refusal = (file: string) => expect(readGguf(file)).rejects
const written = (bytes: Uint8Array | string) => {
  const file = path.join(temporaryFolder(), 'some.gguf')
  fs.writeFileSync(file, bytes)
  return file
}

it('the header tells what the model is for, its window and what its cache takes', async () => {
  const file = tiny({ contextTokens: 2_048 })
  expect(await readGguf(file)).toEqual({
    title: 'tiny-random',
    bytes: fs.statSync(file).size,
    architecture: 'llama',
    purpose: 'chat',
    trainedTokens: 2_048,
    // One layer, four heads, keys and values of eight numbers, two bytes each.
    cacheBytesPerToken: 4 * 16 * 2,
  })
})

it('a file that pools its tokens is an embedder', async () => {
  expect((await readGguf(tiny({ pooling: 1 }))).purpose).toBe('embedding')
})

it.each<[string, () => string, RegExp]>([
  ['is no GGUF', () => written('<!doctype html><p>Not found</p>'), /header cannot be read/],
  ['is empty', () => written(''), /end is missing/],
  ['is of a version to come', () => tiny({ version: 4 }), /GGUF version 4, which is newer/],
  ['is of the first version', () => tiny({ version: 1 }), /first GGUF version/],
  ['is a part of several', () => tiny({ keys: { 'split.count': count(3) } }), /split into several files/],
  ['is a picture part', () => tiny({ keys: { 'general.architecture': string('clip') } }), /mmproj/],
  ['is an adapter', () => tiny({ keys: { 'general.type': string('adapter') } }), /LoRA/],
  ['is a reranker', () => tiny({ pooling: 4 }), /reranker/],
  ['is a folder', () => temporaryFolder(), /not a file/],
  ['is gone', () => path.join(temporaryFolder(), 'gone.gguf'), /moved, renamed or deleted/],
])('a file that %s is refused with the reason', async (_what, file, words) => {
  await refusal(file()).toMatchObject({ code: 'local.file', userMessage: expect.stringMatching(words) })
})

const long = 'a'.repeat(101)
it.each<[string, TinyLlama['keys']]>([
  [
    'a name of its kind that is too long',
    {
      'general.architecture': string(long),
      [`${long}.embedding_length`]: count(32),
    },
  ],
  ['a window of nothing', { 'llama.context_length': count(0) }],
  ['a cache below nothing', { 'llama.attention.key_length': { type: 6, value: -1_000 } }],
])('a header with %s is refused in words', async (_what, keys) => {
  await refusal(tiny({ ...(keys && { keys }) })).toMatchObject({
    code: 'local.file',
    userMessage: expect.stringContaining('no model can have'),
  })
})

it('a file that ends early is refused wherever it was cut', async () => {
  const whole = fs.readFileSync(tiny())
  for (const cut of [3, 10, 40, 5_000, 20_000, whole.length - 1]) {
    await refusal(written(whole.subarray(0, cut))).toMatchObject({
      code: 'local.file',
      userMessage: expect.stringContaining('end is missing'),
    })
  }
})

it('a header of impossible counts is refused without reading on', async () => {
  const bytes = fs.readFileSync(tiny())
  bytes.writeBigUInt64LE(2n ** 63n, 16)
  await refusal(written(bytes)).toMatchObject({ code: 'local.file' })
})

it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
  'a file without permission is refused as such',
  async () => {
    const file = tiny()
    fs.chmodSync(file, 0o000)
    await refusal(file).toMatchObject({ code: 'local.file', userMessage: expect.stringContaining('no permission') })
  },
)

it.skipIf(process.platform === 'win32')('a pipe is refused, not waited for', async () => {
  const file = path.join(temporaryFolder(), 'pipe.gguf')
  execFileSync('mkfifo', [file])
  await refusal(file).toMatchObject({ code: 'local.file' })
})
