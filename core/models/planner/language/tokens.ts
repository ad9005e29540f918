import { lemmaOf } from './lemma.ts'

export type TokenKind = 'word' | 'number' | 'quoted' | 'path' | 'glob' | 'extension' | 'sign'

/** A piece of the request. `text` is as written (without quotes), `lower` for comparing, `lemma` without plural. */
export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly lower: string
  readonly lemma: string
  readonly start: number
  readonly end: number
}

const quotes = /`([^`]+)`|"([^"]+)"|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/u
// `3*4` and `2 * pi` are arithmetic: a pattern has a dot with letters, a slash or a longer word.
const glob = /(?<![\w)])(?=\S*(?:\.[A-Za-z*{]|\/|[A-Za-z]{3}))[\w./@~{}[\]-]*\*[\w./@~*{},[\]-]*/u
const extension = /(?<![\p{L}\p{N}_)])\.[A-Za-z][A-Za-z0-9]{0,9}\b/u
// A slash between figures is a division: a path has a letter in it.
const path = /(?=\S*\p{L})(?:(?:~?\.{0,2}\/)?(?:[\p{L}\p{N}_@+.-]+\/)+[\p{L}\p{N}_@+.-]*|\/(?:[\p{L}\p{N}_@+.-]+\/?)+)/u
const fileName = /[\p{L}\p{N}_@+-][\p{L}\p{N}_@+.-]*\.[A-Za-z][A-Za-z0-9]{0,9}(?![\p{L}\p{N}_])/u
const isoDate = /\d{4}-\d{2}(?:-\d{2})?(?:T\d{2}:\d{2}(?::\d{2})?Z?)?(?![\d\p{L}])/u
const number = /\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?/u
const word = /[\p{L}_][\p{L}\p{N}_]*(?:['-][\p{L}\p{N}_]+)*|\d+[\p{L}_][\p{L}\p{N}_]*/u
const sign = /[<>=!]=|\*\*|[^\s]/u

const shapes: readonly (readonly [TokenKind, RegExp])[] = [
  ['quoted', quotes],
  ['glob', glob],
  ['path', path],
  ['path', fileName],
  ['extension', extension],
  ['number', isoDate],
  ['number', number],
  ['word', word],
  ['sign', sign],
]
const scanner = new RegExp(shapes.map(([, shape], at) => `(?<s${at}>${shape.source})`).join('|'), 'gu')

/** Splits a request. Every character that is not white space is in exactly one token. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  for (const match of text.matchAll(scanner)) {
    const at = shapes.findIndex((_, shape) => match.groups?.[`s${shape}`] !== undefined)
    const kind = shapes[at]?.[0] ?? 'sign'
    tokens.push(tokenOf(kind, match[0], match.index))
  }
  return tokens
}

function tokenOf(kind: TokenKind, raw: string, start: number): Token {
  const text = kind === 'quoted' ? raw.slice(1, -1).trim() : raw
  const lower = text.toLowerCase()
  return { kind, text, lower, lemma: kind === 'word' ? lemmaOf(lower) : lower, start, end: start + raw.length }
}

const contractions: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019]/g, "'"],
  [/[\u201c\u201d\u201e]/g, '"'],
  [/[\u2013\u2014]/g, '-'],
  [/\u00a0/g, ' '],
  [/\btl\s?[;:]\s?dr\b/gi, 'tldr'],
  [/\b(what|where|who|how)s\b/gi, '$1 is'],
  [/\b(what|who|where|when|how|that|there|here|it)'s\b/gi, '$1 is'],
  [/\b(what|who|where|how|there)'re\b/gi, '$1 are'],
  [/\b(i)'d\b/gi, '$1 would'],
  [/\b(i|you|we|they)'ve\b/gi, '$1 have'],
  [/\b(i|you|we|they)'ll\b/gi, '$1 will'],
  [/\bi'm\b/gi, 'I am'],
  [/\blet's\b/gi, 'let us'],
  [/\b(does|do|did|is|are|was|were|has|have)n'?t\b/gi, '$1 not'],
  [/\bcan'?t\b/gi, 'can not'],
  [/\bgimme\b/gi, 'give me'],
  [/\blemme\b/gi, 'let me'],
  [/\b(?:wanna|gonna)\b/gi, 'want to'],
  // "Which file did I change last" and "which file was changed last" ask the same.
  [
    /\bdid (?:i|we|you|they|anyone|anybody|someone|somebody) ((?:last |most recently )?)(?:touch|change|edit|modify|update|alter|work on)\b/gi,
    'was $1changed',
  ],
]

// The first of them are about signs and hold everywhere; the others leave quoted text alone.
const plainSigns = 5

/** Straight quotes, plain dashes, contractions written out; inside backticks and double quotes nothing changes. */
export function plainWords(text: string): string {
  const straight = contractions.slice(0, plainSigns).reduce((t, [from, to]) => t.replace(from, to), text)
  return straight
    .split(/(`[^`]+`|"[^"]+")/)
    .map((part, at) =>
      at % 2 === 1 ? part : contractions.slice(plainSigns).reduce((t, [from, to]) => t.replace(from, to), part),
    )
    .join('')
}
