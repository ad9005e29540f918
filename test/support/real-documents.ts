import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const packages = path.resolve(import.meta.dirname, '../../node_modules')

/** Documents that every checkout has: the README files of installed packages, copied into a folder of their own. */
export function realDocuments(count: number): { readonly folder: string; readonly names: readonly string[] } {
  const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-documents-'))
  const readmes = readdirSync(packages)
    .filter((name) => !name.startsWith('.') && !name.startsWith('@'))
    .map((name) => ({ name, file: path.join(packages, name, 'README.md') }))
    .filter(({ file }) => isOrdinary(file))
    .slice(0, count)
  mkdirSync(path.join(folder, 'licences'))
  for (const { name, file } of readmes) copyFileSync(file, path.join(folder, `${name}.md`))
  copyFileSync(path.join(packages, 'react', 'LICENSE'), path.join(folder, 'licences', 'react.txt'))
  return { folder, names: readmes.map(({ name }) => `${name}.md`) }
}

/** Neither a stub nor a book. */
function isOrdinary(file: string): boolean {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return bytes > 1_500 && bytes < 40_000
}
