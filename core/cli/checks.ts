import fs from 'node:fs'
import path from 'node:path'
import { checkTarget, type Resolve, systemResolve } from '../capabilities/capabilities.ts'
import { scanSecrets } from '../domain/leaks/scan.ts'
import { limits } from '../domain/limits.ts'
import { parseSkill } from '../skills/skills.ts'
import type { CheckCommand } from './check-commands.ts'
import type { Terminal } from './terminal.ts'

type Named<Name extends CheckCommand['name']> = Extract<CheckCommand, { name: Name }>

/** `http check`: the network layer alone, every redirect too. Exit 1 where it denies. */
export async function checkUrl(terminal: Terminal, { url, dns, redirects }: Named<'http check'>): Promise<number> {
  const hops = [{ url, resolve: dns === undefined ? systemResolve : scripted(dns) }]
  for (const each of redirects) hops.push({ url: each.url, resolve: scripted([each.addresses]) })
  let pinned: readonly string[] = []
  for (const hop of hops) {
    const target = await checkTarget(hop.url, { resolve: hop.resolve, signal: AbortSignal.timeout(lookupMs) })
    if (!target.ok) {
      terminal.json({ verdict: 'deny', code: target.code })
      terminal.line(terminal.status('deny', false), `  ${target.code}  ${target.reason}`)
      return 1
    }
    pinned = target.addresses
  }
  terminal.json({ verdict: 'allow', code: '', pinned })
  terminal.line(terminal.status('allow', true), `  ${pinned.join(', ')}`)
  return 0
}
const lookupMs = 10_000

/** Look-up by look-up; the last answer stays. */
function scripted(answers: readonly (readonly string[])[]): Resolve {
  let asked = 0
  return async () => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? []
    asked += 1
    return answer
  }
}

/** `secrets scan`: one line for each hit. Exit 1 where there is one, or a file cannot be read. */
export function scanFiles(terminal: Terminal, { files }: Named<'secrets scan'>): number {
  let found = 0
  for (const file of files) {
    const text = textOf(terminal, file)
    if (text === undefined) found += 1
    for (const { family, start, end } of scanSecrets(text ?? '')) {
      found += 1
      const line = text?.slice(0, start).split('\n').length ?? 1
      terminal.json({ file, line, family, start, end })
      terminal.line(`${file}:${line}  ${family}`)
    }
  }
  return found > 0 ? 1 : 0
}

function textOf(terminal: Terminal, file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    terminal.note(`${file}: ${error instanceof Error ? error.message : 'cannot be read'}`)
    return undefined
  }
}

/** `skill validate`: one line for each SKILL.md. Exit 1 where one is rejected. */
export function validateSkills(terminal: Terminal, { paths }: Named<'skill validate'>): number {
  let rejected = 0
  for (const given of paths) {
    const file = skillFileOf(given)
    if (path.basename(file) !== 'SKILL.md') {
      terminal.note(`${given}: no SKILL.md, skipped`)
      continue
    }
    const begun = performance.now()
    const bytes = startOf(terminal, file)
    if (bytes === undefined) {
      rejected += 1
      continue
    }
    const { outcome, diagnostics } = parseSkill(bytes, path.basename(path.dirname(path.resolve(file))))
    const [first] = diagnostics
    if (outcome === 'reject') rejected += 1
    const { code = '', message = '', line } = first ?? {}
    const ms = Math.round((performance.now() - begun) * 100) / 100
    terminal.json({ file, outcome, code, ...(line != null && { line }), message, ms })
    terminal.line(
      terminal.status(outcome, outcome !== 'reject'),
      `  ${file}${line == null ? '' : `:${line}`}  ${code} ${message}`,
    )
  }
  return rejected > 0 ? 1 : 0
}

function skillFileOf(given: string): string {
  return fs.statSync(given, { throwIfNoEntry: false })?.isDirectory() ? `${given.replace(/\/+$/, '')}/SKILL.md` : given
}

/** No more than tells that it is too large. */
function startOf(terminal: Terminal, file: string): Uint8Array | undefined {
  try {
    // Never waits for the other end of a pipe.
    const handle = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0))
    try {
      if (!fs.fstatSync(handle).isFile()) throw new Error('it is no regular file')
      const bytes = Buffer.alloc(limits.skillFileBytes + 1)
      let total = 0
      for (;;) {
        const read = fs.readSync(handle, bytes, total, bytes.length - total, null)
        total += read
        if (read === 0 || total === bytes.length) return bytes.subarray(0, total)
      }
    } finally {
      fs.closeSync(handle)
    }
  } catch (error) {
    terminal.note(`${file}: ${error instanceof Error ? error.message : 'cannot be read'}`)
    return undefined
  }
}
