/** What a program may be given and still only read. Options are judged by what they must not be. */
interface ReadOnly {
  /** Letters of short options, anywhere in a cluster. */
  readonly letters?: string
  /** Long options without their dashes; any beginning of one counts, as programs take those too. */
  readonly words?: readonly string[]
  /** Every argument must match. */
  readonly only?: RegExp
}

const programs: Readonly<Record<string, ReadOnly>> = {
  ls: { letters: 'L', words: ['dereference'] },
  cat: {},
  pwd: {},
  echo: {},
  whoami: {},
  uname: {},
  true: {},
  false: {},
  basename: {},
  dirname: {},
  stat: {},
  cmp: {},
  nl: {},
  cut: {},
  head: {},
  tail: { letters: 'fF', words: ['follow', 'retry', 'pid'] },
  wc: { words: ['files0-from'] },
  du: { letters: 'DL', words: ['files0-from', 'dereference'] },
  sort: {
    letters: 'oTS',
    words: ['output', 'compress-program', 'files0-from', 'temporary-directory', 'random-source'],
  },
  sha256sum: { letters: 'c', words: ['check'] },
  md5sum: { letters: 'c', words: ['check'] },
  file: { letters: 'CfmzZ', words: ['compile', 'files-from', 'magic-file', 'uncompress', 'uncompress-noreport'] },
  date: { only: /^(?:\+.*|-u|--utc|-R|-I\w*|--iso-8601(?:=\w+)?|--rfc-(?:email|3339=\w+))$/s },
  grep: { letters: 'R', words: ['dereference-recursive'] },
  rg: { letters: 'Lz', words: ['pre', 'pre-glob', 'follow', 'hostname-bin', 'search-zip', 'hyperlink-format'] },
  find: {
    only: /^(?!-)|^-(?:a|and|o|or|not|name|iname|path|ipath|wholename|iwholename|regex|iregex|type|size|empty|[mac]time|[mac]min|newer|maxdepth|mindepth|depth|prune|print0?|ls|printf|perm|user|group|links|mount|xdev|daystart|\d+[cwbkMG]?)$/,
  },
}

const gitCommands: Readonly<Record<string, ReadOnly>> = {
  status: {},
  log: {},
  diff: {},
  show: {},
  blame: {},
  describe: {},
  'ls-files': {},
  'rev-parse': {},
  branch: { only: /^(?:--list|-a|--all|-r|--remotes|-v|-vv|--verbose|--show-current|--no-color|--column)$/ },
}
const gitRefuses: ReadOnly = {
  letters: 'O',
  words: [
    ...['ext-diff', 'textconv', 'output', 'no-index', 'show-signature', 'open-files-in-pager', 'paginate', 'exec'],
    ...['git-dir', 'work-tree', 'upload-pack', 'receive-pack', 'recurse-submodules', 'submodule', 'contents'],
  ],
}

/** True for a program on the list with arguments that leave it a reader. What the arguments point at is judged apart. */
export function onlyReads(argv: readonly string[]): boolean {
  const [program = '', ...args] = argv
  if (program === 'git') return gitOnlyReads(args)
  const rule = Object.hasOwn(programs, program) ? programs[program] : undefined
  return rule !== undefined && keeps(rule, args)
}

/** True for a program on the list, whatever it is given: used in an odd way, each use is another thing. */
export function isReader([program = '', command = '']: readonly string[]): boolean {
  return program === 'git'
    ? Object.hasOwn(gitCommands, command) && command !== 'branch'
    : Object.hasOwn(programs, program)
}

function gitOnlyReads([command = '', ...args]: readonly string[]): boolean {
  const rule = Object.hasOwn(gitCommands, command) ? gitCommands[command] : undefined
  // %G in a format asks a signature program.
  return rule !== undefined && keeps(rule, args) && keeps(gitRefuses, args) && !args.some((each) => each.includes('%G'))
}

function keeps({ letters = '', words = [], only }: ReadOnly, args: readonly string[]): boolean {
  return args.every((each) => {
    if (only && !only.test(each)) return false
    if (each.startsWith('--')) return !isAnyOf(each.slice(2), words)
    return !each.startsWith('-') || ![...letters].some((letter) => each.includes(letter))
  })
}

function isAnyOf(option: string, words: readonly string[]): boolean {
  const [name = ''] = option.split('=')
  return name !== '' && words.some((word) => word.startsWith(name))
}
