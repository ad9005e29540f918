import { randomBytes, scryptSync } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { createFileSecrets, type FileSecretsOptions } from '../../core/file-secrets.ts'
import { temporaryFolder } from '../support/engine.ts'

function open(folder = temporaryFolder(), passphrase = 'correct horse battery') {
  const file = path.join(folder, 'secrets-cli.json')
  return { folder, file, secrets: createFileSecrets({ file, passphrase, randomBytes, derive: cheap }) }
}

/** The real one is slow on purpose; that it is used, and with what cost, is a test of its own. */
const cheap: NonNullable<FileSecretsOptions['derive']> = async (passphrase, salt, options) =>
  scryptSync(passphrase, salt, 32, { ...options, cost: 1_024 })
const emptyContent = {
  version: 1,
  derivation: { name: 'scrypt', salt: 'c2FsdA==', cost: 131_072, blockSize: 8, parallelization: 1 },
  check: '',
  values: {},
}
const read = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8'))

describe('keys of the command line', () => {
  test('are made of the passphrase by scrypt with 128 MiB, and come back by that alone', async () => {
    const { folder, file } = open()
    const real = () => createFileSecrets({ file, passphrase: 'correct horse battery', randomBytes })
    await real().set('provider:a', 'sk-12345')
    expect(read(file).derivation).toMatchObject({ name: 'scrypt', cost: 131_072, blockSize: 8, parallelization: 1 })
    expect(await real().get('provider:a')).toBe('sk-12345')
    await expect(open(folder).secrets.get('provider:a')).rejects.toMatchObject({ code: 'secret.unavailable' })
  })

  test('come back in another process with the same passphrase, and stand nowhere in the file', async () => {
    const { folder, file, secrets } = open()
    await secrets.set('provider:a', 'sk-12345')
    await secrets.set('provider:b', 'sk-67890')
    const again = open(folder).secrets
    expect([await again.get('provider:a'), await again.get('provider:b')]).toEqual(['sk-12345', 'sk-67890'])
    expect(fs.readFileSync(file, 'utf8')).not.toMatch(/sk-|correct|horse/)
    if (process.platform !== 'win32') expect(fs.statSync(file).mode & 0o777).toBe(0o600)
    expect(fs.readdirSync(folder)).toEqual(['secrets-cli.json'])
  })

  test.each([
    ['into a file that is there', ['provider:first']],
    ['as the first of a file', []],
  ])('that are saved at the same time are all kept: %s', async (_, before) => {
    const { folder, secrets } = open()
    for (const name of before) await secrets.set(name, 'sk-0')
    // As two commands of one engine do, and as somebody does who opened the same file for himself.
    const again = open(folder).secrets
    const other = open(folder).secrets
    await Promise.all([
      again.set('provider:a', 'sk-1'),
      again.set('provider:b', 'sk-2'),
      other.set('provider:c', 'sk-3'),
    ])
    const names = [...before, 'provider:a', 'provider:b', 'provider:c']
    const kept = await Promise.all(names.map((name) => other.get(name)))
    expect(kept).toEqual([...before.map(() => 'sk-0'), 'sk-1', 'sk-2', 'sk-3'])
  })

  test('one that is saved while another is removed neither brings it back nor goes with it', async () => {
    const { folder, secrets } = open()
    await secrets.set('provider:a', 'sk-1')
    const again = open(folder).secrets
    await Promise.all([again.set('provider:b', 'sk-2'), again.remove('provider:a')])
    await expect(again.get('provider:a')).rejects.toMatchObject({ code: 'secret.unavailable' })
    expect(await again.get('provider:b')).toBe('sk-2')
  })

  test('are sealed under a nonce of their own each time: the same key twice looks different', async () => {
    const { file, secrets } = open()
    await secrets.set('provider:a', 'sk-12345')
    const first = read(file).values['provider:a']
    await secrets.set('provider:a', 'sk-12345')
    expect(read(file).values['provider:a']).not.toBe(first)
  })

  test('that another passphrase should open are an error, never "no key"; nothing is written over them', async () => {
    const { folder, file, secrets } = open()
    await secrets.set('provider:a', 'sk-12345')
    const before = fs.readFileSync(file, 'utf8')
    const other = open(folder, 'something else').secrets
    const refused = {
      code: 'secret.unavailable',
      userMessage: expect.stringMatching(/cannot be decrypted.*not deleted/),
    }
    await expect(other.get('provider:a')).rejects.toMatchObject(refused)
    await expect(other.set('provider:b', 'sk-new')).rejects.toMatchObject(refused)
    await expect(other.set('provider:a', 'sk-new')).rejects.toMatchObject(refused)
    expect(fs.readFileSync(file, 'utf8')).toBe(before)
  })

  test('that were moved to another name, or changed by one bit, do not open; the others do', async () => {
    const { folder, file, secrets } = open()
    await secrets.set('provider:cheap', 'sk-1')
    await secrets.set('provider:dear', 'sk-2')
    const content = read(file)
    const flipped = Buffer.from(content.values['provider:dear'], 'base64')
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1
    const values = {
      ...content.values,
      'provider:moved': content.values['provider:cheap'],
      'provider:check': content.check,
      'provider:dear': flipped.toString('base64'),
      'provider:short': 'c2hvcnQ=',
    }
    fs.writeFileSync(file, JSON.stringify({ ...content, values }))
    const again = open(folder).secrets
    for (const name of ['provider:moved', 'provider:check', 'provider:dear', 'provider:short']) {
      await expect(again.get(name)).rejects.toMatchObject({
        code: 'secret.unavailable',
        message: expect.stringMatching(/damaged or was moved/),
      })
    }
    expect(await again.get('provider:cheap')).toBe('sk-1')
  })

  test.each([
    ['half a file', '{"version":1,"val'],
    [
      'a file that asks for more memory than we ever write',
      JSON.stringify({ ...emptyContent, derivation: { ...emptyContent.derivation, cost: 2 ** 20, blockSize: 16 } }),
    ],
  ])('in %s are an error; entering one anew keeps that file', async (_, text) => {
    const { file, secrets } = open()
    fs.writeFileSync(file, text)
    await expect(secrets.get('provider:a')).rejects.toMatchObject({
      code: 'secret.unavailable',
      userMessage: expect.stringContaining('not deleted'),
    })
    await expect(secrets.remove('provider:a')).rejects.toMatchObject({ code: 'secret.unavailable' })
    await secrets.set('provider:a', 'new')
    expect(await secrets.get('provider:a')).toBe('new')
    expect(fs.readFileSync(`${file}.aside-1`, 'utf8')).toBe(text)
  })

  test.each(['cost', 'blockSize', 'parallelization'])(
    'under another %s than ours are an error of their own, before anything is derived',
    async (name) => {
      const { folder, file, secrets } = open()
      await secrets.set('provider:a', 'sk-1')
      const content = read(file)
      const derivation = { ...content.derivation, [name]: content.derivation[name] + 1 }
      fs.writeFileSync(file, JSON.stringify({ ...content, derivation }))
      await expect(open(folder).secrets.get('provider:a')).rejects.toMatchObject({
        code: 'secret.unavailable',
        message: 'secrets-cli.json cannot be read',
        userMessage: expect.stringContaining('not deleted'),
      })
    },
  )

  test('that are not here are kept by the app, and asked for there: no request goes out without its key', async () => {
    const { secrets } = open()
    const elsewhere = { code: 'secret.unavailable', data: { keptElsewhere: true } }
    await expect(secrets.get('provider:a')).rejects.toMatchObject(elsewhere)
    await secrets.set('provider:b', 'sk')
    await expect(secrets.get('provider:a')).rejects.toMatchObject(elsewhere)
    await expect(secrets.remove('provider:a')).rejects.toMatchObject(elsewhere)
  })

  test('can be removed without their passphrase; where none is left, a new passphrase begins', async () => {
    const { folder, secrets } = open()
    await secrets.set('provider:a', 'sk')
    const other = open(folder, 'a new one').secrets
    await other.remove('provider:a')
    await other.set('provider:b', 'sk-b')
    expect(await other.get('provider:b')).toBe('sk-b')
    await expect(secrets.get('provider:b')).rejects.toMatchObject({ code: 'secret.unavailable' })
  })
})
