import { createHash } from 'node:crypto'

/** The alphabets and marks of the corpus: every body begins with a mark that no live key has. */
const alphabets: Readonly<Record<string, { readonly letters: string; readonly mark: string }>> = {
  b62: { letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', mark: 'FAKE' },
  hex: { letters: '0123456789abcdef', mark: 'dead' },
  HEX: { letters: '0123456789ABCDEF', mark: 'DEAD' },
  b32: { letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', mark: 'FAKE' },
  UP: { letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', mark: 'FAKE' },
  low: { letters: 'abcdefghijklmnopqrstuvwxyz0123456789', mark: 'fake' },
  num: { letters: '0123456789', mark: '0000' },
  b64: { letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', mark: 'FAKE' },
  b64u: { letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-', mark: 'FAKE' },
}

/** A fake secret from a rule of the corpus: `{alphabet:length}` is filled, `{cat:text}` stands for itself. */
export function fakeSecret(rule: string, seed: string): string {
  let fills = 0
  return rule.replace(/\{(\w+):([^{}]*)\}|\{nl\}/g, (whole, kind: string | undefined, argument: string) => {
    if (whole === '{nl}') return '\n'
    if (kind === 'cat') return argument
    fills += 1
    return filled(kind ?? '', Number(argument), `${seed}#${fills}`)
  })
}

function filled(kind: string, length: number, seed: string): string {
  const alphabet = alphabets[kind]
  if (alphabet === undefined) throw new TypeError(`the corpus has no alphabet ${kind}`)
  const { letters, mark } = alphabet
  let body = mark.slice(0, length)
  for (let round = 0; body.length < length; round += 1) {
    const bytes = createHash('sha256').update(`${seed}:${round}`).digest()
    for (const byte of bytes) if (body.length < length) body += letters[byte % letters.length]
  }
  return body
}
