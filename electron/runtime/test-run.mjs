// The three runners of `npm test` and the one line that adds them up.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { resolveElectron } from './electron.mjs'

/** @typedef {{ passed: number, failed: number }} Count */

/**
 * What a runner's report says. A runner that left no readable report, or that failed without naming a failed test, counts
 * as one failed test: it must never pass by saying nothing.
 * @returns {Count}
 */
export function countOf(status, reportText, read) {
  let count
  try {
    count = read(JSON.parse(reportText))
  } catch {
    return { passed: 0, failed: 1 }
  }
  if (!Number.isInteger(count.passed) || !Number.isInteger(count.failed)) return { passed: 0, failed: 1 }
  const saidNothing = count.failed === 0 && (status !== 0 || count.passed === 0)
  return saidNothing ? { ...count, failed: 1 } : count
}
export const readVitest = (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests })
export const readPlaywright = ({ stats }) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky })

/** Names of the tests that failed: what a log of thousands of lines hides. */
export const failedInVitest = ({ testResults }) =>
  testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    const names = failed.map(({ fullName, failureMessages }) => `${name}: ${fullName}\n${failureMessages[0] ?? ''}`)
    return names.length === 0 && message ? [`${name}: ${message}`] : names
  })
export const failedInPlaywright = ({ suites = [], specs = [] }) => [
  ...specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`),
  ...suites.flatMap(failedInPlaywright),
]

/** @returns {readonly string[]} */
function namesIn(reportText, read) {
  try {
    return read(JSON.parse(reportText))
  } catch (error) {
    return [`no readable report: ${error.message}`]
  }
}

/** @param {readonly Count[]} counts */
export function addUp(counts) {
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  return { line: `${passed} passed, ${failed} failed`, exitCode: failed === 0 && passed > 0 ? 0 : 1 }
}

/**
 * Runs the commands of a script that are joined by `&&` side by side: most of them use one core. What each says comes in one
 * piece, in their order.
 * @param {string} script
 * @returns {Promise<boolean>} whether all succeeded
 */
export async function runSideBySide(script, { cwd, env }, say = (text) => process.stdout.write(text)) {
  const commands = script.split('&&').map((command) => command.trim())
  const ends = await Promise.all(commands.map((command) => endOf(command, { cwd, env })))
  for (const { said } of ends) say(said)
  return ends.every(({ isOk }) => isOk)
}

/** @returns {Promise<{ said: string, isOk: boolean }>} */
function endOf(command, { cwd, env }) {
  return new Promise((resolve) => {
    const child = spawn(command, { cwd, env, shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text) => {
        said += text
      })
    }
    child.on('error', (error) => resolve({ said: `${said}${command}: ${error.message}\n`, isOk: false }))
    child.on('close', (code) => resolve({ said, isOk: code === 0 }))
  })
}

/** Runs a runner to its end, its output on the terminal as it comes. @returns {Promise<number | null>} the exit code */
function shown(file, args, options) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] })
    child.on('error', (error) => {
      console.log(`${file}: ${error.message}`)
      resolve(1)
    })
    child.on('close', resolve)
  })
}

/**
 * The runs that e2e is split into, by spec files, and the report of each. An app waits for most of its time, so two of them keep
 * two cores at work; each run has a display of its own, because windows of one display take the focus from each other.
 * @returns {readonly { command: string, report: string }[]}
 */
export function e2eRuns(platform) {
  const hasOwnDisplays = platform === 'linux'
  const display = hasOwnDisplays ? "xvfb-run -a -s '-screen 0 1280x900x24' " : ''
  const playwright = `${display}playwright test --config test/e2e/playwright.config.ts --reporter=list,json`
  if (!hasOwnDisplays) return [{ command: playwright, report: 'e2e.json' }]
  // Each run empties the folder that it writes to.
  return [1, 2].map((part) => ({
    command: `${playwright} --shard=${part}/2 --output=test-results/e2e-${part}`,
    report: `e2e-${part}.json`,
  }))
}

/** Runs check, units with scenarios, and e2e; prints the sum as its last line. @returns {Promise<number>} the exit code */
export async function runTests({ root, env }) {
  const results = path.join(root, 'test-results')
  fs.rmSync(results, { recursive: true, force: true })
  fs.mkdirSync(results)
  const report = (name) => {
    const file = path.join(results, name)
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
  }

  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))
  const isClean = await runSideBySide(scripts.check, { cwd: root, env })
  const check = isClean ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
  console.log(`check: ${check.failed === 0 ? 'passed' : 'failed'}`)

  const vitest = ['run', '--config', 'test/vitest.config.ts', '--reporter=default', '--reporter=json']
  const shell = process.platform === 'win32'
  // One after the other: units keep all cores at work, and beside them e2e is slow enough to look broken.
  const status = await shown('vitest', [...vitest, '--outputFile.json=test-results/units.json'], {
    cwd: root,
    env,
    shell,
  })
  const units = countOf(status, report('units.json'), readVitest)
  // Before the runs: both would make the one that is missing. Where there is none to be had, each of their tests fails and says so.
  await resolveElectron().catch((error) => console.log(error.message))
  const runs = e2eRuns(process.platform)
  const e2e = await Promise.all(
    runs.map(async ({ command, report: name }) => {
      const runEnv = { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: path.join(results, name) }
      const ended = await shown(command, [], { cwd: root, env: runEnv, shell: true })
      return countOf(ended, report(name), readPlaywright)
    }),
  )

  const failed = [
    ...namesIn(report('units.json'), failedInVitest),
    ...runs.flatMap(({ report: name }) => namesIn(report(name), failedInPlaywright)),
  ].map((text) => text.replaceAll(`${root}${path.sep}`, ''))
  // Last, so that a log that is cut still says what failed.
  if (failed.length > 0) console.log(`failed:\n${failed.map((text) => text.slice(0, 1_000)).join('\n\n')}`)
  const { line, exitCode } = addUp([check, units, ...e2e])
  console.log(line)
  return exitCode
}
