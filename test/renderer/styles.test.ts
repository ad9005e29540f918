import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../../renderer')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** The screen that a file belongs to: its styles are loaded with it, and not before. Null for what all screens share. */
const screenOf = (file: string) => /^screens\/([^/]+)\//.exec(file)?.[1] ?? null

/** Classes that a sheet gives a look by themselves; those that only stand within another belong to that other. */
function classesOf(sheet: string): string[] {
  const rules = sheet.replace(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{/g)
  return [...rules].flatMap(([, selectors = '']) =>
    selectors.split(',').flatMap((selector) => {
      const [first = ''] = selector.trim().split(/[\s>+~]+/)
      return [...first.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name)
    }),
  )
}

const homes = new Map<string, Set<string | null>>()
for (const file of files.filter((each) => each.endsWith('.css')))
  for (const name of classesOf(textOf(file))) homes.set(name, (homes.get(name) ?? new Set()).add(screenOf(file)))

function strangersIn(file: string): string[] {
  const screen = screenOf(file)
  const written = textOf(file).matchAll(/className=(?:"([^"]+)"|\{([^}]+)\})/g)
  const names = [...written].flatMap(([, plain, code]) => (plain ?? code ?? '').match(/[\w-]+/g) ?? [])
  return names.filter((name) => {
    const at = homes.get(name)
    return at && !at.has(null) && !at.has(screen)
  })
}

it('reads the sheets that there are', () => {
  expect([...(homes.get('form-dialog') ?? [])]).toEqual([null])
  expect([...(homes.get('sk-row') ?? [])]).toEqual(['skills'])
})

it.each(files.filter((file) => file.endsWith('.tsx')))('%s uses no look that only another screen brings', (file) => {
  expect(strangersIn(file)).toEqual([])
})
