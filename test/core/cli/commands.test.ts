import { describe, expect, test } from 'vitest'
import { parseLine } from '../../../core/cli/commands.ts'
import { options } from '../../../core/cli/line.ts'
import { usage } from '../../../core/cli/usage.ts'

const parse = (line: string) => parseLine(line === '' ? [] : line.split(' '), '/here')

describe('the line', () => {
  test.each([
    ['run goal', { name: 'run', goal: 'goal', project: '/here' }],
    [
      'run goal --project /p --model m --max-steps 3',
      { name: 'run', goal: 'goal', project: '/p', model: 'm', maxSteps: 3 },
    ],
    ['run goal --project sub/../docs', { name: 'run', goal: 'goal', project: '/here/docs' }],
    ['run goal --skill tide', { name: 'run', goal: 'goal', project: '/here', skill: 'tide' }],
    ['run goal --approve ask', { name: 'run', goal: 'goal', project: '/here', approve: 'ask' }],
    ['run goal --approve all', { name: 'run', goal: 'goal', project: '/here', approve: 'all' }],
    ['run goal --approve none', { name: 'run', goal: 'goal', project: '/here', approve: 'none' }],
    ['run goal --budget-usd 0.50', { name: 'run', goal: 'goal', project: '/here', budgetUsd: 0.5 }],
    ['thread fork 12 --step 0', { name: 'thread fork', id: '12', step: 0 }],
    ['thread fork 12 --step 3 --edit shorter', { name: 'thread fork', id: '12', step: 3, edit: 'shorter' }],
    ['approval list', { name: 'approval list' }],
    ['approval approve app_1', { name: 'approval approve', id: 'app_1', scope: 'once', stop: false, run: true }],
    [
      'approval approve app_1 --scope thread --reason fine --no-run',
      { name: 'approval approve', id: 'app_1', reason: 'fine', scope: 'thread', stop: false, run: false },
    ],
    ['approval deny app_1 --stop', { name: 'approval deny', id: 'app_1', scope: 'once', stop: true, run: true }],
    ['orchestrator versions', { name: 'orchestrator versions' }],
    ['orchestrator show', { name: 'orchestrator show' }],
    ['orchestrator show 0', { name: 'orchestrator show', version: 0 }],
    ['orchestrator rollback', { name: 'orchestrator rollback' }],
    ['orchestrator rollback --to 0', { name: 'orchestrator rollback', version: 0 }],
    ['orchestrator activate 2', { name: 'orchestrator activate', version: 2 }],
    [
      'orchestrator propose loop.py --reason shorter',
      { name: 'orchestrator propose', file: '/here/loop.py', reason: 'shorter' },
    ],
    ['thread list', { name: 'thread list', limit: 50 }],
    [
      'thread list --state running --limit 5 --before thr_1',
      { name: 'thread list', state: 'Running', limit: 5, before: 'thr_1' },
    ],
    ['thread show 12 --events', { name: 'thread show', id: '12', events: true, messages: false }],
    ['thread stop 12', { name: 'thread stop', id: '12' }],
    ['thread resume 12', { name: 'thread resume', id: '12' }],
    ['trace issues 12', { name: 'trace issues', id: '12' }],
    ['model list', { name: 'model list' }],
    ['model probe', { name: 'model probe' }],
    ['model probe m', { name: 'model probe', model: 'm' }],
    [
      'model replay a.json b.json --chunk 1 --cut 0',
      { name: 'model replay', files: ['a.json', 'b.json'], chunkBytes: 1, cutAt: 0 },
    ],
    ['provider list', { name: 'provider list' }],
    ['provider add anthropic', { name: 'provider add', kind: 'anthropic' }],
    [
      'provider add openai-compatible --url http://127.0.0.1:1/v1 --title Mine',
      { name: 'provider add', kind: 'openai-compatible', url: 'http://127.0.0.1:1/v1', title: 'Mine' },
    ],
    ['provider key prv_1', { name: 'provider key', id: 'prv_1' }],
    ['provider remove prv_1', { name: 'provider remove', id: 'prv_1' }],
    ['doc list', { name: 'doc list', project: '/here', limit: 50 }],
    [
      'doc list --type lesson --limit 5 --before 12 --project sub',
      { name: 'doc list', project: '/here/sub', type: 'Lesson', limit: 5, before: 12 },
    ],
    ['doc show doc_1', { name: 'doc show', project: '/here', id: 'doc_1' }],
    ['--json doc show doc_1 --version 2', { name: 'doc show', project: '/here', id: 'doc_1', version: 2 }],
    ['doc search tides --limit 3', { name: 'doc search', project: '/here', query: 'tides', limit: 3 }],
    ['doc export doc_1', { name: 'doc export', project: '/here', out: '/here', id: 'doc_1' }],
    ['doc export --all --out notes', { name: 'doc export', project: '/here', out: '/here/notes' }],
    ['doctor', { name: 'doctor' }],
    ['', { name: 'help' }],
    ['run --help', { name: 'help' }],
    ['--version', { name: 'version' }],
  ])('%s', (line, command) => {
    expect(parse(line).command).toEqual(command)
  })

  test.each([
    'bogus',
    'thread',
    'thread burn 1',
    'run',
    'run a b',
    'run goal --limit 3',
    'run goal --max-steps 0',
    'run goal --max-steps x',
    'run goal --approve maybe',
    'run goal --budget-usd 0',
    'run goal --budget-usd -1',
    'run goal --budget-usd much',
    'thread fork 12',
    'thread fork --step 1',
    'thread fork 12 --step x',
    'approval',
    'approval list more',
    'approval approve',
    'approval approve app_1 --stop',
    'approval approve app_1 --scope forever',
    'approval deny app_1 --scope thread',
    'orchestrator',
    'orchestrator versions 1',
    'orchestrator show x',
    'orchestrator activate',
    'orchestrator rollback 1',
    'orchestrator rollback --to x',
    'orchestrator propose loop.py',
    'orchestrator propose --reason x',
    'thread list --state Sleeping',
    'thread show',
    'trace',
    'trace issues',
    'trace issues 1 2',
    'doctor now',
    'doc',
    'doc burn',
    'doc list more',
    'doc list --type Poem',
    'doc list --version 2',
    'doc show',
    'doc show doc_1 --version x',
    'doc show doc_1 --version',
    'doc search',
    'doc search a b',
    'doc export',
    'doc export doc_1 --all',
    'model replay',
    'provider',
    'provider list more',
    'provider add',
    'provider add planner',
    'provider add openai sk-1234',
    'provider add openai-compatible',
    'provider add openai --url ftp://x',
    'provider key',
    'provider key prv_1 sk-1234',
    'provider remove',
    'run goal --unknown',
  ])('%s is wrong usage', (line) => {
    expect(() => parse(line)).toThrow(expect.objectContaining({ code: 'usage' }))
  })

  test.each(['http://me:s3cret@127.0.0.1:1/v1', 'http://127.0.0.1:1/v1?key=s3cret', 'http://127.0.0.1:1/v1#s3cret'])(
    'provider add takes no key in an address, says where it belongs, and does not repeat it: %s',
    (url) => {
      const given = () => parse(`provider add openai --url ${url}`)
      expect(given).toThrow(expect.objectContaining({ code: 'usage' }))
      expect(given).toThrow(/provider key <id>/)
      expect(given).not.toThrow(/s3cret/)
    },
  )

  test('the help names every command and option there is', () => {
    const names = ['run', 'thread', 'approval', 'orchestrator', 'trace', 'model', 'provider', 'doc', 'doctor']
    for (const name of names) expect(usage).toMatch(new RegExp(`^  ${name}`, 'm'))
    const own = Object.keys(options).filter((option) => !['help', 'version'].includes(option))
    for (const option of own) expect(usage).toContain(`--${option}`)
  })

  test('--json and --data go with every command', () => {
    expect(parse('doctor --json --data /d')).toMatchObject({ isJson: true, dataDir: '/d' })
  })
})
