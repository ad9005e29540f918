import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { errorCodes } from '../../../core/domain/error.ts'

const page = fs.readFileSync(path.resolve(import.meta.dirname, '../../../docs/models.md'), 'utf8')
const ofModels = errorCodes.filter((code) => /^(model|local)\.|^secret\./.test(code))

it.each(ofModels)('%s is explained in docs/models.md', (code) => {
  expect(page).toContain(`\`${code}\``)
})
