import { describe, expect, it } from 'vitest'
import { actions } from '../../../core/capabilities/actions/index.ts'
import { protectedPart } from '../../../core/capabilities/protected-names.ts'

const yes = [
  '.git',
  '.git/hooks/pre-commit',
  'sub/.git/config',
  './.git/config',
  'docs/../.git/config',
  '/somewhere/project/.git/config',
  '.GIT/config',
  '.Git',
  '.git./config',
  '.git /config',
  '.g\u200cit/config',
  '.\uff47it/config',
  '.git::$INDEX_ALLOCATION/config',
  'git~1/config',
  'sub\\.git\\config',
  '.env',
  '.ENV',
  '.env.production',
  'apps/web/.env.local',
  '.envrc',
  '.vscode/tasks.json',
  '.github',
  '.github/',
  '.github/workflows',
  '.GitHub/Workflows/ci.yml',
  '.ssh/config',
  '.npmrc',
  '.bashrc',
  'home/.zshrc',
  '.profile',
  '.threadsmith/skills/x.md',
]
const no = [
  'a.txt',
  'git',
  'docs/git.md',
  '.gitignore',
  '.gitattributes',
  '.github/CODEOWNERS',
  'workflows/ci.yml',
  'env',
  'my.env',
  'package.json',
  'vscode/x',
  '..git',
  'git~x',
]

describe('a protected name', () => {
  it.each(yes)('%j is one, in every spelling', (given) => {
    expect(protectedPart(given)).toBeDefined()
  })
  it.each(no)('%j is none', (given) => {
    expect(protectedPart(given)).toBeUndefined()
  })

  const somewhere = {
    ...{ projectId: 'p', folder: '/nowhere', dataDir: '/nowhere/data', threadId: 't' },
    signal: AbortSignal.abort(),
  }
  const others: Readonly<Record<string, (path: string) => readonly object[]>> = {
    write_file: (path) => [{ path, content: 'x' }],
    patch_file: (path) => [{ path, edits: [{ find: 'a', replace: 'b' }] }],
    delete: (path) => [{ path }],
    move: (path) => [
      { from: path, to: 'a.txt' },
      { from: 'a.txt', to: path },
    ],
  }
  it.each(Object.keys(others))(
    '%s asks for one each time, and says why; else an approval may cover more',
    async (name) => {
      const action = actions.find((each) => each.name === name) ?? expect.fail(name)
      const review = (asked: object) => action.review?.(action.parameters.parse(asked), somewhere)
      for (const asked of others[name]?.('.Git/hooks/pre-commit') ?? []) {
        expect(await review(asked)).toEqual({
          verdict: 'ask',
          reason: expect.stringMatching(/".Git" is obeyed by other programs .* asked anew/),
          scopeKey: null,
        })
      }
      for (const asked of others[name]?.('docs/a.md') ?? []) {
        expect(await review(asked)).toMatchObject({ verdict: 'ask', scopeKey: name })
      }
    },
  )
})

it('calls on one file by different spellings have one resource', () => {
  const resource = (name: string, asked: object) => {
    const action = actions.find((each) => each.name === name) ?? expect.fail(name)
    return action.resource?.(action.parameters.parse(asked))
  }
  const one = resource('write_file', { path: 'docs/a.md', content: '' })
  expect(one).toBe('file:docs/a.md')
  expect(resource('patch_file', { path: './docs//x/../A.md', edits: [{ find: 'a', replace: '' }] })).toBe(one)
  expect(resource('delete', { path: 'docs/a.md' })).toBe(one)
  expect(resource('move', { from: 'docs/a.md', to: 'b' })).toBe(one)
  expect(resource('delete', { path: 'docs/b.md' })).not.toBe(one)
})
