// node --permission --allow-fs-read=* test/campaigns/mutated-skills.ts --files 20000 --seed 7 [--corpus DIR]: SKILL.md files with
// everything done to them that makes parsers fall. Without the right to write or to start anything, an attempt is a crash.
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import matter from 'gray-matter'
import { mendOf } from '../../core/skills/file/mend.ts'
import { parseSkill } from '../../core/skills/file/parse.ts'
import { strictSkillText } from '../../core/skills/file/write.ts'
import { mutated, randomFrom } from './mutations.ts'

const root = path.resolve(import.meta.dirname, '../..')
const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '7' },
    corpus: { type: 'string', multiple: true, default: ['test/core/skills/file/corpus', 'skills'] },
    /** The negative control: the usual reader of front matter, which must be caught. */
    broken: { type: 'boolean', default: false },
  },
})

/** A SKILL.md of each folder of these. */
function filesOf(folders: readonly string[]): [Buffer, ...Buffer[]] {
  const found = folders.flatMap((folder) =>
    fs
      .readdirSync(path.resolve(root, folder))
      .map((name) => path.resolve(root, folder, name, 'SKILL.md'))
      .filter((file) => fs.existsSync(file))
      .map((file) => fs.readFileSync(file)),
  )
  const [first, ...rest] = found
  if (first === undefined) throw new Error(`no SKILL.md in ${folders.join(', ')}`)
  return [first, ...rest]
}

/** What code that ran could have left: on the global object, or on what every object inherits from. */
function traces(): string {
  const owners = [globalThis, Object.prototype, Array.prototype, String.prototype, Function.prototype, process]
  return owners.map((owner) => Reflect.ownKeys(owner).length).join()
}

const counts = { ok: 0, warn: 0, reject: 0, mended: 0 }
const worst = { ms: 0, file: -1 }
const violations: string[] = []
const before = traces()

function check(bytes: Buffer, file: number): void {
  const verdict = parseSkill(bytes, 'tides')
  const ms = fastest(bytes)
  if (ms > worst.ms) Object.assign(worst, { ms: Math.round(ms * 10) / 10, file })
  if (ms > mostMs) violations.push(`file ${file}: took ${Math.round(ms)} ms`)
  counts[verdict.outcome] += 1
  const mend = mendOf(bytes, 'tides')
  if (mend !== null) {
    counts.mended += 1
    const outcome = parseSkill(Buffer.from(mend.text), 'tides').outcome
    if (outcome === 'reject') violations.push(`file ${file}: its mend is no skill`)
  }
  if (verdict.outcome === 'reject') return
  const strict = parseSkill(Buffer.from(strictSkillText(bytes)), 'tides')
  const isSame =
    strict.outcome !== 'reject' && strict.skill.name === verdict.skill.name && strict.skill.body === verdict.skill.body
  if (!isSame) violations.push(`file ${file}: its strict form is another skill (${strict.diagnostics[0]?.code})`)
}
/** Of one file. Source: issue, step 5. */
const mostMs = 300

/** Of at most three: a computer that does something else meanwhile is not the parser's fault. */
function fastest(bytes: Buffer): number {
  let ms = Infinity
  for (let tries = 0; tries < 3 && ms > mostMs; tries += 1) {
    const begun = performance.now()
    parseSkill(bytes, 'tides')
    ms = Math.min(ms, performance.now() - begun)
  }
  return ms
}

const run = values.broken ? (bytes: Buffer) => void matter(bytes.toString(), {}) : check
const corpus = filesOf(values.corpus)
for (let file = 0; file < Number(values.files); file += 1) {
  // By seed and number: one file can be made again without those before it.
  const bytes = mutated(corpus, randomFrom(Number(values.seed) * 1_000_003 + file))
  try {
    run(bytes, file)
  } catch (error) {
    if (!values.broken) violations.push(`file ${file}: ${error instanceof Error ? error.stack : String(error)}`)
  }
  if (traces() !== before) {
    violations.push(`file ${file}: it left something behind: code ran`)
    break
  }
}
process.stdout.write(
  `${JSON.stringify({ seed: Number(values.seed), files: Number(values.files), ...counts, worst, violations: violations.slice(0, 20) })}\n`,
)
process.exitCode = violations.length === 0 ? 0 : 1
