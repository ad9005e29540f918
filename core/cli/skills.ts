import type { SkillHeader, SkillScore } from '../domain/skill.ts'
import type { Access } from './access.ts'
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
export async function showSkill(access: Access, terminal: Terminal, name: string): Promise<number> {
  const skill = await access.call('skill.get', { name })
  const { body, keywords, excludeKeywords, patterns, tags, snippets, isOnlyByName, missing, sha256 } = skill
  const activation = { keywords, excludeKeywords, patterns, tags, isOnlyByName, missing }
  terminal.json({ ...headerOf(skill), ...activation, snippets, sha256, body })
  terminal.line(`${skill.name}: ${skill.description}`)
  terminal.line(terminal.dim(`${factsText(skill)}, ${skill.file}`))
  if (missing.length > 0) terminal.line(terminal.status(`needs ${missing.join(' and ')}`, false))
  if (keywords.length > 0) terminal.line(`keywords  ${keywords.join(', ')}`)
  if (patterns.length > 0) terminal.line(`patterns  ${patterns.join('  ')}`)
  if (tags.length > 0) terminal.line(`tags      ${tags.join(', ')}`)
  for (const snippet of snippets) terminal.line(`function  ${snippet.name}: ${snippet.description}`)
  terminal.line(`\n${body.trim()}`)
  return 0
}

/** `skill select "<goal>"`: a dry run, with why each was chosen or not. */
export async function selectSkills(access: Access, terminal: Terminal, goal: string): Promise<number> {
  const { selected, table, unknown } = await access.call('skill.select', { goal })
  terminal.json({ selected, table })
  for (const row of table) {
    const mark = terminal.status(row.picked ? '✓' : '–', row.picked)
    terminal.line(mark, ` ${row.name.padEnd(16)} ${pointsText(row)}  `, terminal.dim(row.reason))
  }
  if (unknown.length > 0) terminal.note(`no such skill here: ${unknown.map((name) => `/${name}`).join(', ')}`)
  if (table.length === 0) terminal.note('no skills')
  return 0
}

function headerOf({ name, version, description, source, trust, confidence, tokens }: SkillHeader): SkillHeader {
  return { name, version, description, source, trust, confidence, tokens }
}

function factsText({ version, source, trust, tokens, confidence: { value, n } }: SkillHeader): string {
  const known = n === 0 ? 'no uses yet' : `${Math.round(value * 100)} % of ${n} uses`
  return `version ${version}, ${source}, ${trust}, ${tokens} tokens, ${known}`
}

function pointsText({ score, keyword, substring, tag, pattern, tokens }: SkillScore): string {
  const parts = `keywords ${keyword}+${substring}, tags ${tag}, patterns ${pattern}`
  return `${String(score).padStart(5)}  ${parts}, ${tokens} tokens`
}
