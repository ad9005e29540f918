import { hash } from 'node:crypto'
import fs from 'node:fs'
import { AppError } from '../../domain/error.ts'
import type { SkillProblem } from '../../domain/skill.ts'

/**
 * Writes what a problem offers in the place of its file, where that still holds the bytes that were looked at. Whole or not at all:
 * the new text is put in its place when it is on disk. @throws AppError skill.mend
 */
export function mendFile(
  problem: SkillProblem | undefined,
  { file, sha256 }: { readonly file: string; readonly sha256: string },
): void {
  if (problem === undefined || problem.mend === null) throw notMended(file, 'there is nothing to mend in it any more')
  const beside = `${file}.threadsmith-${process.pid}`
  try {
    // A link would have another file changed than the one that was shown.
    if (!fs.lstatSync(file).isFile()) throw notMended(file, 'it is a link')
    if (hash('sha256', fs.readFileSync(file)) !== sha256) throw notMended(file, 'it has changed since you looked at it')
    fs.writeFileSync(beside, problem.mend.text, { mode: fs.statSync(file).mode, flag: 'wx', flush: true })
    fs.renameSync(beside, file)
  } catch (error) {
    fs.rmSync(beside, { force: true })
    if (error instanceof AppError) throw error
    throw notMended(file, 'it cannot be written', error)
  }
}

function notMended(file: string, why: string, cause?: unknown): AppError {
  return new AppError('skill.mend', {
    message: `${file} was not mended: ${why}`,
    userMessage: `${file} was not mended, because ${why}. Nothing was changed. Look at the list of problems again.`,
    cause,
    data: { file },
  })
}
