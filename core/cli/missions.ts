import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import type { Firing, MissionDefinition, MissionSummary } from '../domain/mission.ts'
import { isTerminal } from '../domain/thread.ts'
import { previewCron } from '../missions/missions.ts'
import type { Access } from './access.ts'
import { type Watch, watch } from './rest.ts'
import { exitCodeOf, progress, report } from './run.ts'
import type { Terminal } from './terminal.ts'

/** A mission of a project; `folder` is where to look first. */
export interface MissionNamed {
  readonly mission: string
  readonly folder: string
}

/** `mission list`: by name; of one project where a folder is given. */
export async function listMissions(access: Access, terminal: Terminal, folder?: string): Promise<number> {
  const projectId = folder === undefined ? undefined : await projectOf(access, folder)
  const missions = (await allMissions(access)).filter((each) => projectId === undefined || each.projectId === projectId)
  for (const mission of missions) show(terminal, mission)
  if (missions.length === 0) terminal.note('no missions')
  return 0
}

/** `mission add FILE`: a new mission, or the next version of the one of this name. */
export async function addMission(
  access: Access,
  terminal: Terminal,
  { file, folder }: { readonly file: string; readonly folder: string },
): Promise<number> {
  const definition = await read(access, file, readText(file))
  const { id: projectId } = await access.call('project.open', { folder })
  show(terminal, await access.call('mission.save', { projectId, definition }))
  return 0
}

/** `mission edit <name> [FILE]`: its next version, from a file or from what a person makes of it in their editor. */
export async function editMission(
  access: Access,
  terminal: Terminal,
  { file, editor, ...named }: MissionNamed & { readonly file: string | undefined; readonly editor: string | undefined },
): Promise<number> {
  const { id, projectId, version } = await missionNamed(access, named)
  const { text } = await access.call('mission.get', { id })
  const definition =
    file === undefined
      ? await edited(access, { text, editor, name: named.mission })
      : await read(access, file, readText(file))
  show(terminal, await access.call('mission.save', { projectId, id, follows: version, definition }))
  return 0
}

/** `mission show <name>`: all that it is, as its file would say it. */
export async function showMission(access: Access, terminal: Terminal, named: MissionNamed): Promise<number> {
  const { id } = await missionNamed(access, named)
  const mission = await access.call('mission.get', { id })
  terminal.json({ ...missionForm(mission), version: mission.version, text: mission.text })
  line(terminal, mission)
  terminal.line(terminal.dim(`version ${mission.version}`))
  terminal.line(mission.text ?? 'This version of Threadsmith cannot read its definition.')
  return 0
}

/** `mission pause <name>`. */
export async function pauseMission(access: Access, terminal: Terminal, named: MissionNamed): Promise<number> {
  const { id } = await missionNamed(access, named)
  show(terminal, await access.call('mission.pause', { id }))
  return 0
}

/** `mission resume <name>`: one that an agent proposed is shown first, and started by the version that was seen. */
export async function resumeMission(
  access: Access,
  terminal: Terminal,
  { version, ...named }: MissionNamed & { readonly version: number | undefined },
): Promise<number> {
  const mission = await missionNamed(access, named)
  if (mission.status === 'proposed' && version === undefined) throw unseen(mission)
  show(terminal, await access.call('mission.resume', { id: mission.id, version: version ?? mission.version }))
  return 0
}

function unseen({ name, version }: MissionSummary): AppError {
  return new AppError('mission.state', {
    message: `mission ${name} is proposed`,
    userMessage: `An agent proposed ${name}. Nothing was changed. Read it with \`mission show ${name}\`, then start what you read with \`mission resume ${name} --version ${version}\`.`,
  })
}

/** `mission run <name> [--rehearse]`: once, now; where nobody else has the store, to its next rest. */
export async function runMission(
  access: Access,
  terminal: Terminal,
  { rehearses, ...named }: MissionNamed & { readonly rehearses: boolean },
): Promise<number> {
  const { id } = await missionNamed(access, named)
  const shown = progress(terminal)
  const watching = access.isOwn ? await watch(access, shown) : undefined
  const { threadId, state, reason } = await access.call(rehearses ? 'mission.rehearse' : 'mission.fire', { id })
  const now = async () => access.call('mission.get', { id })
  if (threadId === null || watching === undefined) {
    watching?.end()
    show(terminal, await now())
    if (threadId === null) terminal.note(`${state}${reason === null ? '' : `: ${reason}`}`)
    return threadId === null && state !== 'queued' ? 1 : 0
  }
  shown.follow(threadId)
  const thread = await watching.untilRest(threadId)
  watching.end()
  if (!terminal.isJson) await report(access, terminal, thread)
  show(terminal, await now())
  if (rehearses) await noteUsed(access, terminal, id)
  return exitCodeOf(thread)
}

async function noteUsed(access: Access, terminal: Terminal, id: string): Promise<void> {
  const rehearsal = await access.call('mission.rehearsal', { id })
  for (const { action, calls, asksAgain, denied } of rehearsal?.used ?? []) {
    const asks = asksAgain === 0 ? '' : ', asks again'
    terminal.note(`used ${action}: ${calls} of its calls ran${denied === 0 ? '' : `, ${denied} denied`}${asks}`)
  }
}

/** `mission tick`: claims what is due; where nobody else has the store, what begins is carried through. */
export async function tickMissions(access: Access, terminal: Terminal): Promise<number> {
  const watching = access.isOwn ? await watch(access, {}) : undefined
  const claimed = await access.call('mission.tick', {})
  const firings = watching === undefined ? claimed : await carriedThrough(access, watching, claimed)
  watching?.end()
  const names = new Map((await allMissions(access)).map(({ id, name }) => [id, name]))
  for (const firing of firings) {
    const mission = names.get(firing.missionId) ?? firing.missionId
    terminal.json({ mission, ...firingForm(firing) })
    terminal.line(...firingLine(terminal, firing), `  ${mission}`)
  }
  if (firings.length === 0) terminal.note('nothing is due')
  return 0
}

/** Until each has ended or rests; one that waits behind another that rests is left in the ledger as queued. */
async function carriedThrough(access: Access, watching: Watch, claimed: readonly Firing[]): Promise<readonly Firing[]> {
  const rested = new Set<string>()
  let firings = claimed
  for (let pauses = 0; ; ) {
    const running = firings.flatMap(({ state, threadId }) =>
      state === 'running' && threadId !== null ? [threadId] : [],
    )
    const next = running.find((threadId) => !rested.has(threadId))
    if (next !== undefined) {
      const thread = await watching.untilRest(next)
      rested.add(next)
      if (isTerminal(thread.state)) firings = await settled(access, firings, next)
      pauses = 0
      continue
    }
    const waits = firings.some(({ state }) => state === 'queued')
    if (!waits || pauses === mostPauses) return firings
    // What is caught up begins with a pause between.
    await pause(limits.catchUpStaggerMs / 5)
    pauses += 1
    await access.call('mission.tick', {})
    firings = await again(access, firings)
  }
}
const mostPauses = 7

/** The end of a thread and what its mission makes of it are two turns. */
async function settled(access: Access, firings: readonly Firing[], threadId: string): Promise<readonly Firing[]> {
  for (;;) {
    const now = await again(access, firings)
    if (now.every((firing) => firing.threadId !== threadId || firing.state !== 'running')) return now
    await pause(20)
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function again(access: Access, firings: readonly Firing[]): Promise<readonly Firing[]> {
  const missions = [...new Set(firings.map(({ missionId }) => missionId))]
  const known = await Promise.all(missions.map((id) => access.call('mission.firings', { id })))
  const newest = new Map(known.flat().map((firing) => [firing.id, firing]))
  return firings.map((firing) => newest.get(firing.id) ?? firing)
}

/** `mission firings <name>`: the ledger, the newest first. */
export async function listFirings(
  access: Access,
  terminal: Terminal,
  { from, to, ...named }: MissionNamed & { readonly from: number | undefined; readonly to: number | undefined },
): Promise<number> {
  const { id, name } = await missionNamed(access, named)
  const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  const firings = await access.call('mission.firings', { id, ...range })
  for (const firing of firings) {
    terminal.json({ mission: name, ...firingForm(firing) })
    terminal.line(...firingLine(terminal, firing))
  }
  if (firings.length === 0) terminal.note('no firings')
  return 0
}

/** `cron "<expr>"`: what it means; 1 where it is refused. Opens no store. */
export function showCron(
  terminal: Terminal,
  of: { readonly expression: string; readonly zone: string; readonly from: number; readonly count: number },
): number {
  const preview = previewCron(of)
  if (!preview.ok) {
    const { code, position, message } = preview
    terminal.json({ ok: false, code, ...(position !== undefined && { position }), message })
    terminal.line(terminal.status(code, false), `  ${message}`)
    if (position !== undefined) terminal.line(`  ${of.expression}\n  ${' '.repeat(position)}^`)
    return 1
  }
  const { words, next, notes } = preview
  terminal.json({ ok: true, words, next: next.map(({ at }) => iso(at)), notes })
  terminal.line(words)
  for (const { at, local } of next) terminal.line(`  ${local}  `, terminal.dim(iso(at)))
  for (const note of notes) terminal.line(note)
  return 0
}

function show(terminal: Terminal, mission: MissionSummary): void {
  terminal.json(missionForm(mission))
  line(terminal, mission)
}

function missionForm({ name, status, cadence, nextFireAt, streak }: MissionSummary) {
  return { name, status, cadence, nextFireAt: nextFireAt === null ? null : iso(nextFireAt), streak }
}

function line(terminal: Terminal, mission: MissionSummary): void {
  const { name, status, statusReason, cadence, nextFireAt, streak } = mission
  const next = nextFireAt === null ? (statusReason ?? 'nothing is to come') : `next ${iso(nextFireAt)}`
  terminal.line(
    terminal.status(status.padEnd(9), status === 'active'),
    ` ${name.padEnd(24)} ${cadence}  `,
    terminal.dim(`${next}, ${streak} in a row`),
  )
}

function firingForm({ instant, state, reason, threadId }: Firing) {
  return { due: iso(instant), state, reason, ...(threadId !== null && { threadId }) }
}

function firingLine(terminal: Terminal, { instant, until, state, reason }: Firing) {
  const due = until === null ? iso(instant) : `${iso(instant)} … ${iso(until)}`
  const good = state === 'ran' || state === 'late' || state === 'running' || state === 'queued'
  return [`${due}  `, terminal.status(state.padEnd(9), good), reason === null ? '' : ` ${reason}`]
}

const iso = (at: number) => new Date(at).toISOString()

async function allMissions(access: Access): Promise<readonly MissionSummary[]> {
  const missions: MissionSummary[] = []
  for (;;) {
    const last = missions.at(-1)
    const page = await access.call(
      'mission.list',
      last === undefined ? {} : { after: { name: last.name, id: last.id } },
    )
    missions.push(...page)
    if (page.length < limits.missionPageRows) return missions
  }
}

/** In the project of the folder; else the only one of this name. */
async function missionNamed(access: Access, { mission, folder }: MissionNamed): Promise<MissionSummary> {
  const named = (await allMissions(access)).filter(({ id, name }) => name === mission || id === mission)
  const project = (await access.call('project.list', {})).find((each) => each.folder === realPath(folder))
  const own = named.find(({ projectId }) => projectId === project?.id)
  const [first, ...more] = named
  if (own !== undefined) return own
  if (first !== undefined && more.length === 0) return first
  throw new AppError('mission.not_found', {
    message:
      first === undefined ? `there is no mission ${mission}` : `${named.length} projects have a mission ${mission}`,
    userMessage:
      first === undefined
        ? `There is no mission ${mission}. \`threadsmith mission list\` shows what there is.`
        : `Several projects have a mission ${mission}. Say which with --project.`,
  })
}

async function projectOf(access: Access, folder: string): Promise<string> {
  const project = (await access.call('project.list', {})).find((each) => each.folder === realPath(folder))
  if (project !== undefined) return project.id
  throw new AppError('project.not_found', {
    message: `no project has the folder ${folder}`,
    userMessage: `${folder} is no project yet, so it has no missions.`,
  })
}

function realPath(folder: string): string {
  return fs.existsSync(folder) ? fs.realpathSync(folder) : folder
}

/** @throws AppError mission.invalid, with every flaw and its line. */
async function read(access: Access, file: string, text: string): Promise<MissionDefinition> {
  const verdict = await access.call('mission.read', { text })
  if (verdict.ok) return verdict.definition
  const flaws = verdict.problems.map(({ line, message }) => (line === null ? message : `Line ${line}: ${message}`))
  throw new AppError('mission.invalid', {
    message: `${file}: ${flaws.join(' ')}`,
    userMessage: `${file} is no mission yet. ${flaws.join(' ')} Nothing was changed.`,
  })
}

function readText(file: string): string {
  try {
    if (fs.statSync(file).size <= limits.skillFileBytes) return fs.readFileSync(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    throw new AppError('mission.not_found', {
      message: `${file}: ${reason}`,
      userMessage: `${file} cannot be read. Nothing was changed.`,
      cause: error,
    })
  }
  throw new AppError('mission.invalid', {
    message: `${file} has more than ${limits.skillFileBytes} bytes`,
    userMessage: `${file} is too large to be a mission. Nothing was changed.`,
  })
}

interface ToEdit {
  readonly text: string | null
  readonly editor: string | undefined
  readonly name: string
}

/** A draft that is refused stays where it is, so that nothing that was typed is lost. */
async function edited(access: Access, { text, editor, name }: ToEdit): Promise<MissionDefinition> {
  if (editor === undefined || text === null) throw noEditor(text === null)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'threadsmith-mission-'))
  const file = path.join(folder, `${name}.md`)
  fs.writeFileSync(file, text, { mode: 0o600 })
  // An editor may come with arguments of its own: `code --wait`.
  const { status } = spawnSync(`${editor} ${JSON.stringify(file)}`, { stdio: 'inherit', shell: true })
  if (status !== 0) throw editorFailed(editor, file)
  const definition = await read(access, file, readText(file))
  fs.rmSync(folder, { recursive: true })
  return definition
}

function noEditor(isUnreadable: boolean): AppError {
  return new AppError('usage', {
    message: isUnreadable ? 'the mission cannot be read' : 'neither VISUAL nor EDITOR names an editor',
    userMessage: isUnreadable
      ? 'This version of Threadsmith cannot read that mission. Give its next version as a file: `mission edit <name> FILE`.'
      : 'No editor is known. Set EDITOR, or give the next version as a file: `mission edit <name> FILE`.',
  })
}

function editorFailed(editor: string, file: string): AppError {
  return new AppError('mission.invalid', {
    message: `${editor} ended with an error`,
    userMessage: `The editor ended with an error. Nothing was changed; what was written is in ${file}.`,
  })
}
