import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { type Access, type HostOptions, openForAsking, openForChanging, openForReading } from './cli/access.ts'
import { decideApproval, listApprovals } from './cli/approvals.ts'
import { checkUrl, scanFiles, validateSkills } from './cli/checks.ts'
import { type Command, parseLine } from './cli/commands.ts'
import { exportDocs, listDocs, searchDocs, showDoc } from './cli/docs.ts'
import {
  connectIntegration,
  disconnectIntegration,
  listIntegrations,
  setAddress,
  testIntegration,
} from './cli/integrations.ts'
import { decideLearnt, listLearnt, showStatus } from './cli/learn.ts'
import { wrongUsage } from './cli/line.ts'
import {
  addMission,
  editMission,
  listFirings,
  listMissions,
  pauseMission,
  resumeMission,
  runMission,
  showCron,
  showMission,
  tickMissions,
} from './cli/missions.ts'
import { listModels, probeModels, replayFiles } from './cli/models.ts'
import { activateVersion, listVersions, proposeVersion, rollBack, showVersion } from './cli/orchestrator.ts'
import { addProvider, listProviders, removeProvider, setKey } from './cli/providers.ts'
import { run } from './cli/run.ts'
import {
  decideCandidate,
  decisionOf,
  exportSkill,
  followList,
  importSkills,
  listSkills,
  listSources,
  rollBackSkill,
  selectSkills,
  showSkill,
  unfollowList,
} from './cli/skills.ts'
import { createTerminal, type Terminal } from './cli/terminal.ts'
import { show } from './cli/thread-show.ts'
import { fork, list, resume, stop } from './cli/threads.ts'
import { issues } from './cli/trace.ts'
import { usage } from './cli/usage.ts'
import { AppError } from './domain/error.ts'
import { dataDir, type Secrets } from './engine.ts'
import { createFileSecrets } from './file-secrets.ts'
import { noSecrets } from './secrets.ts'

const doneByInterrupt = 130

// Whoever read the output has left (`| head`): what is under way is still finished and recorded, and nothing more is said.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

async function main(argv: readonly string[]): Promise<number> {
  const streams = { in: process.stdin, out: process.stdout, err: process.stderr }
  let terminal = createTerminal(streams, argv.includes('--json'))
  try {
    const line = parseLine(argv, process.cwd())
    terminal = createTerminal(streams, line.isJson)
    return await dispatch(line.command, terminal, hostOptions(line.dataDir, line.command))
  } catch (error) {
    terminal.fail(error)
    return error instanceof AppError && error.code === 'usage' ? 2 : 1
  }
}

async function dispatch(command: Command, terminal: Terminal, options: HostOptions): Promise<number> {
  const reading = (work: Work) => withAccess(openForReading(options), terminal, work)
  const changing = (work: Work) => withAccess(openForChanging(options), terminal, work)
  const asking = (work: Work) => withAccess(openForAsking(options), terminal, work)
  switch (command.name) {
    case 'help':
      process.stdout.write(`${usage}\n`)
      return 0
    case 'version':
      process.stdout.write(`${options.version}\n`)
      return 0
    case 'run':
      return changing((access) => run(access, terminal, command))
    case 'thread list':
      return reading((access) => list(access, terminal, { ...command, state: command.state, before: command.before }))
    case 'thread show':
      return reading((access) => show(access, terminal, command))
    case 'thread stop':
      return changing((access) => stop(access, terminal, command.id))
    case 'thread resume':
      return changing((access) => resume(access, terminal, command.id))
    case 'thread fork':
      return changing((access) => fork(access, terminal, command))
    case 'approval list':
      return reading((access) => listApprovals(access, terminal))
    case 'approval approve':
    case 'approval deny': {
      const decision = command.name === 'approval approve' ? 'approve' : 'deny'
      return changing((access) => decideApproval(access, terminal, { ...command, decision }))
    }
    case 'orchestrator versions':
      return reading((access) => listVersions(access, terminal))
    case 'orchestrator show':
      return reading((access) => showVersion(access, terminal, command.version))
    case 'orchestrator propose':
      return changing((access) => proposeVersion(access, terminal, command))
    case 'orchestrator activate':
      return changing((access) => activateVersion(access, terminal, command.version))
    case 'orchestrator rollback':
      return changing((access) => rollBack(access, terminal, command.version))
    case 'trace issues':
      return reading((access) => issues(access, terminal, command.id))
    case 'model list':
      return asking((access) => listModels(access, terminal))
    case 'model probe':
      return changing((access) => probeModels(access, terminal, command.model))
    case 'model replay':
      return replayFiles(terminal, { ...command, chunkBytes: command.chunkBytes, cutAt: command.cutAt })
    case 'provider list':
      return asking((access) => listProviders(access, terminal))
    case 'provider add':
      return changing((access) => addProvider(access, terminal, { ...command, url: command.url, title: command.title }))
    case 'provider key':
      return changing((access) => setKey(access, terminal, command.id))
    case 'provider remove':
      return changing((access) => removeProvider(access, terminal, command.id))
    case 'integration list':
      return reading((access) => listIntegrations(access, terminal))
    case 'integration connect':
      return changing((access) => connectIntegration(access, terminal, { ...command, credential: command.credential }))
    case 'integration test':
      return changing((access) => testIntegration(access, terminal, { ...command, credential: command.credential }))
    case 'integration disconnect':
      return changing((access) =>
        disconnectIntegration(access, terminal, { ...command, credential: command.credential }),
      )
    case 'integration address':
      return changing((access) => setAddress(access, terminal, command))
    case 'doc list':
      return reading((access) => listDocs(access, terminal, { ...command, type: command.type, before: command.before }))
    case 'doc show':
      return reading((access) => showDoc(access, terminal, { ...command, version: command.version }))
    case 'doc search':
      return reading((access) => searchDocs(access, terminal, command))
    case 'doc export':
      return reading((access) => exportDocs(access, terminal, { ...command, id: command.id }))
    case 'skill list':
      return reading((access) => listSkills(access, terminal))
    case 'skill show':
      return reading((access) => showSkill(access, terminal, command))
    case 'skill select':
      return reading((access) => selectSkills(access, terminal, command))
    case 'skill approve':
    case 'skill reject':
    case 'skill quarantine':
      return changing((access) => decideCandidate(access, terminal, { ...command, decision: decisionOf(command.name) }))
    case 'skill rollback':
      return changing((access) => rollBackSkill(access, terminal, command))
    case 'skill import':
      return changing((access) => importSkills(access, terminal, command))
    case 'skill export':
      return changing((access) => exportSkill(access, terminal, command))
    case 'skill sources':
      return reading((access) => listSources(access, terminal))
    case 'skill follow':
      return changing((access) => followList(access, terminal, command.url))
    case 'skill unfollow':
      return changing((access) => unfollowList(access, terminal, command.url))
    case 'mission list':
      return reading((access) => listMissions(access, terminal, command.folder))
    case 'mission add':
      return changing((access) => addMission(access, terminal, command))
    case 'mission edit': {
      const editor = process.env.VISUAL ?? process.env.EDITOR
      return changing((access) => editMission(access, terminal, { ...command, file: command.file, editor }))
    }
    case 'mission show':
      return reading((access) => showMission(access, terminal, command))
    case 'mission pause':
      return changing((access) => pauseMission(access, terminal, command))
    case 'mission resume':
      return changing((access) => resumeMission(access, terminal, { ...command, version: command.version }))
    case 'mission run':
      return changing((access) => runMission(access, terminal, command))
    case 'mission tick':
      return tick(command.now, terminal, options)
    case 'mission firings':
      return reading((access) => listFirings(access, terminal, { ...command, from: command.from, to: command.to }))
    case 'cron': {
      const { expression, count, zone = Intl.DateTimeFormat().resolvedOptions().timeZone, from = Date.now() } = command
      return showCron(terminal, { expression, zone, from, count })
    }
    case 'learn status':
      return reading((access) => showStatus(access, terminal))
    case 'learn list':
      return reading((access) => listLearnt(access, terminal))
    case 'learn approve':
    case 'learn reject':
    case 'learn undo':
      return changing((access) => decideLearnt(access, terminal, command))
    case 'http check':
      return checkUrl(terminal, command)
    case 'secrets scan':
      return scanFiles(terminal, command)
    case 'skill validate':
      return validateSkills(terminal, command)
    case 'doctor':
      return reading((access) => examineAll(access, terminal))
  }
}

/** At another time than now: that is this process's own, and what it writes is for a folder to try things in. */
async function tick(now: number | undefined, terminal: Terminal, options: HostOptions): Promise<number> {
  const ticking = (access: Access) => tickMissions(access, terminal)
  if (now === undefined) return withAccess(openForChanging(options), terminal, ticking)
  const ahead = now - Date.now()
  const clock = { now: () => Date.now() + ahead, monotonic: () => performance.now() }
  const access = await openForChanging({ ...options, clock })
  if (access.isOwn) return withAccess(Promise.resolve(access), terminal, ticking)
  await access.close('its clock is its own')
  throw wrongUsage('--now cannot be used while the app has the store: it goes by its own clock')
}

type Work = (access: Access) => Promise<number>

/** Ctrl-C suspends what this process runs, on record, and ends with 130. */
async function withAccess(opening: Promise<Access>, terminal: Terminal, work: Work): Promise<number> {
  const access = await opening
  let interrupt: () => void = () => undefined
  const interrupted = new Promise<number>((resolve) => {
    interrupt = () => resolve(doneByInterrupt)
  })
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  try {
    const code = await Promise.race([work(access), interrupted])
    if (code === doneByInterrupt) {
      terminal.note(access.whenLeft)
      terminal.silence()
    }
    return code
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
    await access.close('interrupted from the command line')
  }
}

async function examineAll(access: Access, terminal: Terminal): Promise<number> {
  const checks = await access.call('doctor', {})
  terminal.json(checks)
  for (const { name, ok, detail, mend } of checks) {
    terminal.line(terminal.status(ok ? '✓' : '✕', ok), ` ${name.padEnd(12)} ${detail}`)
    if (mend !== null) terminal.line(`  ${mend}`)
  }
  return checks.every((check) => check.ok) ? 0 : 1
}

/** This file lies in `core/` of a checkout, or in `dist/main/` of a build. */
function contentDir(): string {
  return path.resolve(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '..' : '../..')
}

function hostOptions(given: string | undefined, command: Command): HostOptions {
  const content = contentDir()
  const manifest: { version: string } = JSON.parse(fs.readFileSync(path.join(content, 'package.json'), 'utf8'))
  const folder = given === undefined ? path.resolve(dataDir(process.platform, process.env)) : path.resolve(given)
  return {
    dataDir: folder,
    ...(process.env.THREADSMITH_TRACE === '1' && { traceDir: path.join(folder, 'traces') }),
    secrets: secretsIn(folder),
    contentDir: content,
    version: manifest.version,
    command: `threadsmith ${command.name}`,
    recover: 'suspend',
  }
}

function secretsIn(folder: string): Secrets {
  const passphrase = process.env.THREADSMITH_KEY ?? ''
  // What this process starts has no use for it.
  delete process.env.THREADSMITH_KEY
  if (passphrase === '') return noSecrets('THREADSMITH_KEY is not set')
  return createFileSecrets({ file: path.join(folder, 'secrets-cli.json'), passphrase, randomBytes })
}

process.exitCode = await main(process.argv.slice(2))
