import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '../../domain/error.ts'
import type { SkillProblem } from '../../domain/skill.ts'
import { startOf } from './read-skill.ts'

/**
 * Writes what a problem offers in the place of its file, whole or not at all, where that still holds the bytes that were looked at. Its
 * rights stay. @throws AppError skill.mend where it does not, or there is nothing to offer, or it cannot be written.
 */
export function writeMend({ file, sha256, mend }: SkillProblem): void {
  if (mend === null) throw mendError(file, 'nothing can be mended in it without a person')
  try {
    if (hash('sha256', startOf(file)) !== sha256) throw mendError(file, 'it was changed since it was looked at')
    replace(file, mend.text)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw mendError(file, cause instanceof Error ? cause.message : String(cause), cause)
  }
}

function replace(file: string, text: string): void {
  const beside = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.new`)
  const handle = fs.openSync(beside, 'wx', fs.statSync(file).mode & 0o777)
  try {
    fs.writeFileSync(handle, text)
    fs.fsyncSync(handle)
    fs.renameSync(beside, file)
  } catch (error) {
    fs.rmSync(beside, { force: true })
    throw error
  } finally {
    fs.closeSync(handle)
  }
}

function mendError(file: string, reason: string, cause?: unknown): AppError {
  return new AppError('skill.mend', {
    message: `${file}: ${reason}`,
    userMessage: `${file} was not mended: ${reason}. The file is as it was. Look at it again, or change it yourself.`,
    cause,
  })
}
