import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { z } from 'zod'
import type { ActionContext, ActionMemory, ActionTrash } from '../../../../core/capabilities/action.ts'
import { actions } from '../../../../core/capabilities/actions/index.ts'
import { AppError } from '../../../../core/domain/error.ts'
import type { Json } from '../../../../core/domain/json.ts'
import { limits } from '../../../../core/domain/limits.ts'
import { resultText } from '../../../../core/domain/model.ts'
import { sanitizeText } from '../../../../core/domain/text.ts'

const noMemory: ActionMemory = {
  write: () => expect.fail('no memory in this test'),
  read: () => undefined,
  search: async () => ({ hits: [], total: 0 }),
}

/** A folder of real files for one test, and a way to run actions on it as the door does. */
export function useProject() {
  const project = { base: '', folder: '' }
  beforeEach(async () => {
    project.base = await realpath(await mkdtemp(path.join(tmpdir(), 'project-')))
    project.folder = path.join(project.base, 'project')
    await mkdir(project.folder)
  })
  afterEach(() => rm(project.base, { recursive: true, force: true }))

  return {
    get folder() {
      return project.folder
    },
    /** Outside the project: `base` holds the project's folder. */
    get base() {
      return project.base
    },
    async write(files: Readonly<Record<string, string | Buffer>>) {
      for (const [name, content] of Object.entries(files)) {
        const absolute = path.join(project.folder, name)
        await mkdir(path.dirname(absolute), { recursive: true })
        await writeFile(absolute, content)
      }
    },
    run: (name: string, asked: object, context: Partial<ActionContext> = {}) =>
      runAction(name, asked, { folder: project.folder, ...context }),
  }
}

/** Sunday, 15 June 2025, 14:30 in Berlin. */
const sundayNoon = Date.parse('2025-06-15T12:30:00Z')

const record = z.record(z.string(), z.unknown())

/** Parses, runs, and holds every result against the limit that all results keep. */
export async function runAction(name: string, asked: object, context: Partial<ActionContext> = {}) {
  const value = await runRaw(name, asked, context)
  return record.parse(value)
}

export async function runRaw(name: string, asked: object, context: Partial<ActionContext> = {}): Promise<Json> {
  const action = actions.find((candidate) => candidate.name === name) ?? expect.fail(`no action ${name}`)
  const parsed = action.parameters.safeParse(asked)
  if (!parsed.success) {
    throw new AppError('action.args', { message: z.prettifyError(parsed.error), userMessage: 'arguments' })
  }
  const value = await action.run(parsed.data, {
    projectId: 'p1',
    folder: '/nowhere',
    dataDir: '/nowhere/data',
    threadId: 't1',
    callKey: 't1/1/1',
    now: sundayNoon,
    timeZone: 'Europe/Berlin',
    signal: new AbortController().signal,
    memory: noMemory,
    trash: noTrash,
    notify: () => undefined,
    ...context,
  })
  expect(sanitizeText(resultText(value)).length).toBeLessThanOrEqual(limits.actionResultCharacters)
  expect(JSON.parse(JSON.stringify(value))).toEqual(value)
  return value
}

const noTrash: ActionTrash = {
  place: () => expect.fail('nothing is to be kept'),
  record: () => expect.fail('nothing is to be kept'),
}
