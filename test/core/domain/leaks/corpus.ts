import fs from 'node:fs'
import path from 'node:path'
import { fakeSecret } from './fake-secrets.ts'

/** Every row of the corpus: what looks like a secret of a family, and what only looks like one. */
export const corpus = fs
  .readFileSync(path.join(import.meta.dirname, 'secrets.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [id = '', expect = '', family = '', rule = ''] = line.split('\t')
    return { id, expect, family, value: fakeSecret(rule, id) }
  })

/** Where a secret may stand. */
export const around: Readonly<Record<string, (value: string) => string>> = {
  raw: (value) => value,
  'a URL query': (value) => `https://api.example.com/v1?q=${encodeURIComponent(value)}&page=2`,
  'a query that is not encoded': (value) => `https://api.example.com/v1?q=${value}&page=2`,
  'a code block': (value) => `Set it like this:\n\n\`\`\`sh\nexport X=${value}\n\`\`\`\nDone.`,
  JSON: (value) => JSON.stringify({ value, n: 1 }),
  'a sentence': (value) => `The value is ${value}, as agreed.`,
}
