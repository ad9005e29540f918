import { mkdirSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { z } from 'zod'
import {
  type Action,
  type ActionContext,
  type ActionMemory,
  type ActionTrash,
  CallWaits,
  type Preflight,
} from '../../../../core/capabilities/action.ts'
import { actions } from '../../../../core/capabilities/actions/index.ts'
import { createTrash } from '../../../../core/capabilities/trash.ts'
import type { TrashItem } from '../../../../core/domain/approval.ts'
import { AppError } from '../../../../core/domain/error.ts'
import type { Json } from '../../../../core/domain/json.ts'
import { limits } from '../../../../core/domain/limits.ts'
import { resultText } from '../../../../core/domain/model.ts'
import { sanitizeText } from '../../../../core/domain/text.ts'
import { openStore } from '../../../../core/store/store.ts'

const noMemory: ActionMemory = {
  write: () => expect.fail('no memory in this test'),
  read: () => undefined,
  search: async () => ({ hits: [], total: 0 }),
}

/** A folder of real files for one test, and a way to run actions on it as the door does. */
export function useProject() {
  const project = { base: '', folder: '' }
  let bin: TrashBin | undefined
  beforeEach(async () => {
    project.base = await realpath(await mkdtemp(path.join(tmpdir(), 'project-')))
    project.folder = path.join(project.base, 'project')
    await mkdir(project.folder)
  })
  afterEach(async () => {
    await bin?.close()
    bin = undefined
    await rm(project.base, { recursive: true, force: true })
  })
  function trashBin(): TrashBin {
    bin ??= openTrash(path.join(project.base, 'data'), project.folder)
    return bin
  }
  function contextOf(context: Partial<ActionContext>): Partial<ActionContext> {
    const callKey = context.callKey ?? 't1/1/1'
    const scope = { threadId: 't1', projectId: 'p1', step: 1 }
    return {
      folder: project.folder,
      dataDir: path.join(project.base, 'data'),
      // Only what keeps something opens the store.
      trash: {
        place: (key) => trashBin().trash.forCall(scope, '1').place(key),
        record: (item) => trashBin().trash.forCall(scope, '1').record(item),
      },
      callKey,
      ...context,
    }
  }

  return {
    /** A real trash on a real store, opened when first used. */
    get bin() {
      return trashBin()
    },
    preflight: (name: string, asked: object, context: Partial<ActionContext> = {}) =>
      preflightAction(name, asked, contextOf(context)),
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
      runAction(name, asked, contextOf(context)),
  }
}

type TrashBin = ReturnType<typeof openTrash>

function openTrash(dataDir: string, folder: string) {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const workerEntry = path.resolve(import.meta.dirname, '../../../../core/store/worker.ts')
  const store = openStore({ dataDir, readOnly: false, workerEntry })
  store.projects.insert({ id: 'p1', folder, name: 'project', createdAt: 0 })
  const clock = { now: sundayNoon }
  const undone: TrashItem[] = []
  let lastId = 0
  const trash = createTrash({
    store,
    dataDir,
    now: () => clock.now,
    nextId: () => {
      lastId += 1
      return `trash-${lastId}`
    },
    onUndone(item, mark) {
      store.transaction(mark)
      undone.push(item)
    },
  })
  return { store, trash, clock, undone, dataDir, close: () => store.close() }
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
  return runOwn(
    actions.find((candidate) => candidate.name === name) ?? expect.fail(`no action ${name}`),
    asked,
    context,
  )
}

/** The same for an action that is made for one engine. */
export async function runOwn(action: Action, asked: object, context: Partial<ActionContext> = {}): Promise<Json> {
  const parsed = action.parameters.safeParse(asked)
  if (!parsed.success) {
    throw new AppError('action.args', { message: z.prettifyError(parsed.error), userMessage: 'arguments' })
  }
  const whole = wholeContext(context)
  const found = whole.guard === undefined ? await action.preflight?.(parsed.data, whole) : undefined
  const value = await action.run(parsed.data, { ...whole, ...(found && { guard: found.guard }) })
  if (value instanceof CallWaits) return expect.fail(`${name} waits: ${value.reason}`)
  expect(sanitizeText(resultText(value)).length).toBeLessThanOrEqual(limits.actionResultCharacters)
  expect(JSON.parse(JSON.stringify(value))).toEqual(value)
  return value
}

/** What would be asked, and with which guard. */
async function preflightAction(name: string, asked: object, context: Partial<ActionContext>): Promise<Preflight> {
  const action = actions.find((candidate) => candidate.name === name) ?? expect.fail(`no action ${name}`)
  const found = await action.preflight?.(action.parameters.parse(asked), wholeContext(context))
  return found ?? expect.fail(`${name} has no preflight`)
}

export function wholeContext(context: Partial<ActionContext>): ActionContext {
  return {
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
    resultCharacters: limits.actionResultCharacters,
    sources: [],
    note: () => undefined,
    notify: () => undefined,
    ...context,
  }
}

const noTrash: ActionTrash = {
  place: () => expect.fail('nothing is to be kept'),
  record: () => expect.fail('nothing is to be kept'),
}
