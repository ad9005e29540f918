import type { CandidateDecision, CandidateDetail } from '../domain/candidate.ts'
import { AppError } from '../domain/error.ts'
import type { SkillHeader, SkillList, SkillScore } from '../domain/skill.ts'
import type { Access } from './access.ts'
import { unifiedDiff } from './diff.ts'
import { showDiff } from './requests.ts'
import type { Terminal } from './terminal.ts'

/** `skill list`: by name. */
export async function listSkills(access: Access, terminal: Terminal): Promise<number> {
  const skills = await access.call('skill.list', {})
  for (const skill of skills) {
    terminal.json(headerOf(skill))
    terminal.line(`${skill.name.padEnd(16)} ${skill.description}  `, terminal.dim(factsText(skill)))
  }
  if (skills.length === 0) terminal.note('no skills')
  return 0
}

/** `skill show <name>`: whole. */
export async function showSkill(
  access: Access,
  terminal: Terminal,
  { skill: name, version }: { readonly skill: string; readonly version?: number | undefined },
): Promise<number> {
  const skill = await access.call('skill.get', { name, ...(version !== undefined && { version }) })
  const { body, keywords, excludeKeywords, patterns, tags, snippets, isOnlyByName, missing, sha256 } = skill
  const activation = { keywords, excludeKeywords, patterns, tags, isOnlyByName, missing }
  terminal.json({ ...headerOf(skill), ...activation, snippets, sha256, body })
  terminal.line(`${skill.name}: ${skill.description}`)
  terminal.line(terminal.dim(`${factsText(skill)}, ${skill.place}${skill.file === null ? '' : `: ${skill.file}`}`))
  if (missing.length > 0) terminal.line(terminal.status(`needs ${missing.join(' and ')}`, false))
  if (keywords.length > 0) terminal.line(`keywords  ${keywords.join(', ')}`)
  if (patterns.length > 0) terminal.line(`patterns  ${patterns.join('  ')}`)
  if (tags.length > 0) terminal.line(`tags      ${tags.join(', ')}`)
  for (const snippet of snippets) terminal.line(`function  ${snippet.name}: ${snippet.description}`)
  terminal.line(`\n${body.trim()}`)
  return 0
}

/** `skill select "<goal>"`: a dry run, with why each was chosen or not. */
export async function selectSkills(
  access: Access,
  terminal: Terminal,
  { goal, folder }: { readonly goal: string; readonly folder?: string | undefined },
): Promise<number> {
  const projects = folder === undefined ? [] : await access.call('project.list', {})
  const project = projects.find((each) => each.folder === folder)
  const { selected, table, unknown } = await access.call('skill.select', {
    goal,
    ...(project !== undefined && { projectId: project.id }),
  })
  terminal.json({ selected, table })
  for (const row of table) {
    const mark = terminal.status(row.picked ? '✓' : '–', row.picked)
    terminal.line(mark, ` ${row.name.padEnd(16)} ${pointsText(row)}  `, terminal.dim(row.reason))
  }
  if (unknown.length > 0) terminal.note(`no such skill here: ${unknown.map((name) => `/${name}`).join(', ')}`)
  if (table.length === 0) terminal.note('no skills')
  return 0
}

/** `skill approve|reject|quarantine <candidate>`: bound to the bytes as they are at this moment. */
export async function decideCandidate(
  access: Access,
  terminal: Terminal,
  asked: {
    readonly id: string
    readonly decision: CandidateDecision['decision']
    readonly reason?: string | undefined
  },
): Promise<number> {
  const { decision, reason } = asked
  const candidate = await access.call('candidate.get', { id: asked.id })
  const { id, sha256, before } = candidate
  if (decision === 'approve') showWhatIsApproved(terminal, candidate)
  const seen = { id, decision, sha256, before: before?.sha256 ?? null, ...(reason !== undefined && { reason }) }
  const decided = await access.call('candidate.decide', seen)
  const { name, version, state } = decided
  terminal.json({ name, version, state })
  terminal.line(terminal.status(state, state === 'approved'), ` ${name}${version === null ? '' : ` v${version}`}`)
  return 0
}

/** Its difference, and what a check says against it. @throws AppError candidate.stale where another version is live than it was written for. */
function showWhatIsApproved(terminal: Terminal, candidate: CandidateDetail): void {
  const { name, content, before, checks, isStale } = candidate
  if (isStale) throw writtenForAnother(candidate)
  if (terminal.isJson) return
  showDiff(terminal, unifiedDiff(`${name}/SKILL.md`, before?.content ?? null, content))
  for (const each of checks.filter((check) => check.state !== 'ok')) {
    terminal.line(terminal.status(each.state, false), ` ${each.title}${each.detail === '' ? '' : `: ${each.detail}`}`)
  }
}

function writtenForAnother({ id, name, target, before }: CandidateDetail): AppError {
  const written = target === null ? 'when there was none' : `for v${target.version}`
  const live = before === null ? 'none is live' : `v${before.version} is live`
  return new AppError('candidate.stale', {
    message: `candidate ${id} was written ${written}, and ${live}`,
    userMessage: `${name} was written ${written}, and ${live} now. Nothing was decided. Compare it in the app, where it can be approved all the same, or reject it.`,
    data: { candidateId: id },
  })
}

export function decisionOf(name: 'skill approve' | 'skill reject' | 'skill quarantine'): CandidateDecision['decision'] {
  switch (name) {
    case 'skill approve':
      return 'approve'
    case 'skill reject':
      return 'reject'
    case 'skill quarantine':
      return 'quarantine'
  }
}

/** `skill import <path>`: what it holds becomes candidates; with --dry-run it is only shown. Exit 1 where nothing could be taken. */
export async function importSkills(
  access: Access,
  terminal: Terminal,
  { path: from, isDryRun: isOnlyShown }: { readonly path: string; readonly isDryRun: boolean },
): Promise<number> {
  const asked = { path: from, isDryRun: isOnlyShown }
  const { skills, refused, isDryRun } = await access.call('skill.import', asked)
  for (const { name, kind, candidateId, files, warnings } of skills) {
    const state = kind === 'same' ? 'same' : isDryRun ? 'would be a candidate' : 'candidate'
    terminal.json({ name, version: null, state: kind === 'same' || isDryRun ? kind : 'pending', candidateId })
    terminal.line(
      terminal.status(state, true),
      ` ${name}, ${files.length} file${files.length === 1 ? '' : 's'}  ${candidateId ?? ''}`,
    )
    for (const warning of warnings) terminal.line(terminal.dim(`  ${warning}`))
  }
  for (const { path, code, message } of refused) terminal.note(`${path}: ${code} ${message}`)
  return skills.length > 0 ? 0 : 1
}

/** `skill export <name> <path>`. */
export async function exportSkill(
  access: Access,
  terminal: Terminal,
  asked: { readonly skill: string; readonly path: string; readonly version?: number | undefined },
): Promise<number> {
  const { id } = await access.call('skill.get', { name: asked.skill })
  const { version } = asked
  const written = await access.call('skill.export', { id, path: asked.path, ...(version !== undefined && { version }) })
  terminal.json({ name: written.name, version: written.version, state: 'exported', path: written.path })
  terminal.line(`${written.name} v${written.version}, ${written.files} files, ${written.path}`)
  return 0
}

/** `skill sources`: lists of skills on servers. */
export async function listSources(access: Access, terminal: Terminal): Promise<number> {
  const lists = await access.call('skill.lists', {})
  showLists(terminal, lists)
  if (lists.length === 0) terminal.note('no lists of skills on servers; `threadsmith skill follow <url>` adds one')
  return 0
}

export async function followList(access: Access, terminal: Terminal, url: string): Promise<number> {
  showLists(terminal, await access.call('skill.follow', { url }))
  return 0
}

export async function unfollowList(access: Access, terminal: Terminal, url: string): Promise<number> {
  showLists(terminal, await access.call('skill.unfollow', { url }))
  return 0
}

function showLists(terminal: Terminal, lists: readonly SkillList[]): void {
  for (const list of lists) {
    terminal.json(list)
    terminal.line(
      terminal.status(list.state, list.state !== 'failed'),
      ` ${list.url}, ${list.skills} skills ${list.problem ?? ''}`,
    )
  }
}

/** `skill rollback <name> --to N`. */
export async function rollBackSkill(
  access: Access,
  terminal: Terminal,
  { skill, to, reason }: { readonly skill: string; readonly to: number; readonly reason?: string | undefined },
): Promise<number> {
  const before = await access.call('skill.get', { name: skill })
  const { id } = before
  if (before.state === 'active' && before.version === to) terminal.note(`v${to} is live already: nothing was changed`)
  const now = await access.call('skill.rollback', { id, to, ...(reason !== undefined && { reason }) })
  terminal.json({ name: now.name, version: now.version, state: now.state })
  terminal.line(terminal.status(now.state, now.state === 'active'), ` ${now.name} v${now.version}`)
  return 0
}

function headerOf({ name, version, description, source, trust, confidence, tokens }: SkillHeader) {
  return { name, version, description, source, trust, confidence, tokens }
}

function factsText({ version, state, source, trust, tokens, confidence }: SkillHeader): string {
  const known = confidence.n === 0 ? 'no uses yet' : confidenceText(confidence)
  const shown = state === 'active' ? '' : `${state}, `
  return `v${version}, ${shown}${source}, ${trust}, ${tokens} tokens, ${known}`
}

/** With its interval: of few uses a share says little. */
function confidenceText({ value, low, high, n }: SkillHeader['confidence']): string {
  const percent = (share: number) => Math.round(share * 100)
  return `${percent(value)} % of ${n} uses (95 %: ${percent(low)} to ${percent(high)} %)`
}

function pointsText({ score, keyword, substring, tag, pattern, tokens }: SkillScore): string {
  const parts = `keywords ${keyword}+${substring}, tags ${tag}, patterns ${pattern}`
  return `${String(score).padStart(5)}  ${parts}, ${tokens} tokens`
}
