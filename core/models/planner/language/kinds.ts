/** Groups of files that people name by a word. `bare` ones need no "files" behind them. */
interface FileKind {
  readonly label: string
  readonly words: readonly string[]
  readonly extensions: readonly string[]
  readonly bare: boolean
}

const kind = (label: string, words: string, extensions: string, bare = true): FileKind => ({
  label,
  words: words.split('|'),
  extensions: extensions.split(' ').map((e) => `.${e}`),
  bare,
})

const kinds: readonly FileKind[] = [
  kind('CSV', 'csv|csvs', 'csv'),
  kind('TSV', 'tsv|tsvs', 'tsv'),
  kind('JSON', 'json|jsons', 'json'),
  kind('JSON Lines', 'jsonl|ndjson', 'jsonl ndjson'),
  kind('Markdown', 'markdown|md|mds', 'md markdown'),
  kind('text', 'txt|txts|plain text|plaintext', 'txt'),
  kind('text', 'text', 'txt', false),
  kind('PDF', 'pdf|pdfs', 'pdf'),
  kind('HTML', 'html|htm', 'html htm'),
  kind('CSS', 'css', 'css'),
  kind('XML', 'xml', 'xml'),
  kind('YAML', 'yaml|yml', 'yaml yml'),
  kind('TOML', 'toml', 'toml'),
  kind('INI', 'ini', 'ini'),
  kind('SQL', 'sql', 'sql'),
  kind('PNG', 'png|pngs', 'png'),
  kind('JPEG', 'jpg|jpgs|jpeg|jpegs', 'jpg jpeg'),
  kind('SVG', 'svg|svgs', 'svg'),
  kind('ZIP', 'zip|zips', 'zip'),
  kind('Excel', 'excel|xlsx|xls', 'xlsx xls'),
  kind('Word', 'docx', 'docx doc'),
  kind('Python', 'python|py', 'py', false),
  kind('JavaScript', 'javascript|js', 'js mjs cjs jsx', false),
  kind('TypeScript', 'typescript|ts', 'ts tsx', false),
  kind('Java', 'java', 'java', false),
  kind('Rust', 'rust', 'rs', false),
  kind('Go', 'golang', 'go', false),
  kind('Ruby', 'ruby', 'rb', false),
  kind('shell', 'shell|bash', 'sh bash', false),
  kind('log', 'log|logs', 'log', false),
  kind('image', 'image|images|picture|pictures|photo|photos', 'png jpg jpeg gif svg webp bmp tiff heic ico'),
  kind('video', 'video|videos', 'mp4 mov mkv avi webm'),
  kind('audio', 'audio|sound', 'mp3 wav flac ogg m4a', false),
  kind('spreadsheet', 'spreadsheet|spreadsheets', 'csv tsv xlsx xls ods'),
  kind(
    'code',
    'code|source|source code|program|script|scripts',
    'py js mjs cjs jsx ts tsx java rs go rb sh c h cpp cs php',
    false,
  ),
]

export interface KindMention {
  readonly label: string
  readonly extensions: readonly string[]
  readonly length: number
}

/** The kind that the words begin with; `followedByFile` tells whether the next word after it is "file". */
export function kindAt(words: readonly string[], isFileNoun: (word: string) => boolean): KindMention | undefined {
  const found = kinds
    .flatMap((k) => k.words.map((w) => ({ k, words: w.split(' ') })))
    .filter((c) => c.words.every((w, at) => words[at] === w))
    .sort((a, b) => b.words.length - a.words.length)
    .find((c) => c.k.bare || isFileNoun(words[c.words.length] ?? ''))
  return found && { label: found.k.label, extensions: found.k.extensions, length: found.words.length }
}
