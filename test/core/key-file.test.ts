import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '../../core/domain/error.ts'
import { openKeyFile } from '../../core/key-file.ts'
import { temporaryFolder } from '../support/engine.ts'

const content = z.strictObject({ keys: z.number() })

function open(folder = temporaryFolder()) {
  const file = path.join(folder, 'secrets.json')
  const keys = openKeyFile({
    file,
    parse: (value) => content.parse(value),
    unavailable: (message, cause) => new AppError('secret.unavailable', { message, userMessage: 'damaged', cause }),
  })
  return { folder, file, keys }
}

const cannotBeOpened = expect.objectContaining({
  code: 'secret.unavailable',
  retryable: true,
  userMessage: expect.stringMatching(/cannot be opened.*no key was deleted.*try again/),
})

test('a file that cannot be opened now is not set aside: what stands in it may be whole', () => {
  const { folder, file, keys } = open()
  // Whatever the account that runs the tests may do, a folder cannot be read as a file.
  fs.mkdirSync(file)
  expect(() => keys.read()).toThrow(cannotBeOpened)
  expect(() => keys.readOrSetAside()).toThrow(cannotBeOpened)
  expect(fs.readdirSync(folder)).toEqual(['secrets.json'])
})

test('a folder that cannot be looked into is no sign that there are no keys', () => {
  const folder = path.join(temporaryFolder(), 'data')
  fs.writeFileSync(folder, 'a file where a folder should be')
  const { keys } = open(folder)
  expect(() => keys.read()).toThrow(cannotBeOpened)
  expect(() => keys.readOrSetAside()).toThrow(cannotBeOpened)
})

test.each(['half of it: {"ke', '{"keys":"none"}', ''])(
  'a file that was read and holds no keys is set aside: %s',
  (text) => {
    const { folder, file, keys } = open()
    fs.writeFileSync(file, text)
    expect(() => keys.read()).toThrow('cannot be read')
    expect(keys.readOrSetAside()).toBeUndefined()
    keys.write({ keys: 1 })
    expect(keys.read()).toEqual({ keys: 1 })
    expect(fs.readFileSync(path.join(folder, 'secrets.json.aside-1'), 'utf8')).toBe(text)
  },
)

test('what cannot be written leaves the old file as it is, and says so', () => {
  const { folder, file, keys } = open()
  keys.write({ keys: 1 })
  fs.mkdirSync(`${file}.new`)
  expect(() => keys.write({ keys: 2 })).toThrow(
    expect.objectContaining({
      code: 'secret.unavailable',
      userMessage: expect.stringMatching(/cannot be written.*kept as they were/),
    }),
  )
  fs.rmdirSync(`${file}.new`)
  expect(keys.read()).toEqual({ keys: 1 })
  expect(fs.readdirSync(folder)).toEqual(['secrets.json'])
})
