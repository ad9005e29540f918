import { leadsOutside, programName } from './program.ts'

/** What a wider approval of a plain command would cover, or why there can be none. */
export interface Kind {
  readonly scopeKey: string | null
  readonly concerns: readonly string[]
}

/** Programs that run whatever their arguments say: each call is another thing. */
const runners: readonly (readonly [programs: string, concern: string])[] = [
  [
    'env nohup nice ionice timeout setsid stdbuf watch xargs parallel busybox toybox chroot unshare script strace gdb ltrace entr',
    'runs the command that its arguments name',
  ],
  ['npx bunx uvx pipx dlx corepack', 'fetches and runs a package by its name'],
  ['awk gawk mawk nawk sed ed ex', 'runs a program that its arguments spell out'],
  ['vi vim nvim vimdiff emacs nano less more man', 'can run commands from inside'],
  ['ssh scp sftp rsync nc ncat netcat socat telnet ftp curl wget aria2c', 'talks to other machines'],
  ['docker podman kubectl nerdctl lxc', 'reaches beyond the project folder by design'],
  ['cmd powershell pwsh wscript cscript mshta rundll32 start osascript open xdg-open', 'starts programs of the system'],
  ['sqlite3 psql mysql mongosh redis-cli', 'takes commands of its own'],
  ['expect tclsh lua luajit php ruby perl rscript julia ghci irb bc dc', 'runs code'],
]
const concernOf = new Map(runners.flatMap(([names, concern]) => names.split(' ').map((name) => [name, concern])))

/** Interpreters: with a script file first, that script is the kind; with anything else before it there is none. */
const interpreter = /^(?:node|deno|bun|python[\d.]*|pypy3?|bash|sh|dash|zsh|ksh|fish|tsx|ts-node)$/

/** Programs whose first argument says what they do. */
const withCommands = new Set(
  'npm pnpm yarn git cargo go pip pip3 poetry uv dotnet mvn gradle make just terraform gh brew apt apt-get apk dnf helm rake bundle composer mix flutter dart swift rustup nx turbo'.split(
    ' ',
  ),
)
const packageRunners = new Set('npm pnpm yarn'.split(' '))

/** Options by which a program is told to run another one. */
const runsAnother: Readonly<Record<string, RegExp>> = {
  find: /^-(?:exec|ok|delete|fprint|fls)/,
  tar: /^--(?:ch|to-c|use-c|rsh|rmt|info-s|new-v|I)|^-[a-zA-Z]*[IF]/,
  sort: /^--co/,
  rg: /^--(?:pre|hostname-bin)/,
  fd: /^-[xX]|^--exec/,
  zip: /^-TT|^--unzip/,
  git: /^-[cCO]|^--(?:conf|exe|upl|rec|ext-|text|open|ou|gi|wo)/,
  npm: /^--(?:script-shell|node-options|prefix|globalconfig|userconfig|git)/,
  make: /^--eval|^-f|^--file|^--makefile|^[A-Z_]+=|^-C/,
  cargo: /^--config/,
  go: /^-(?:exec|toolexec)/,
  gcc: /^-(?:wrapper|fplugin|B)/,
}
const gitRunners = new Set(
  'config bisect filter-branch difftool mergetool submodule clone archive send-email instaweb daemon credential remote'.split(
    ' ',
  ),
)

export function kindOf(argv: readonly string[], folder: string): Kind {
  const [program = '', ...args] = argv
  const name = programName(program)
  const outside = args.filter((each) => leadsOutside(each, folder))
  const concern = concernOf.get(name) ?? ownConcern(name, args)
  const concerns = [
    ...(concern ? [`${name} ${concern}`] : []),
    ...outside.slice(0, 5).map((each) => `${each} leads outside the project folder`),
    ...(leadsOutside(program, folder) ? [`${program} is a program outside the project folder`] : []),
  ]
  return { scopeKey: concerns.length > 0 ? null : keyOf(program, args), concerns }
}

function ownConcern(name: string, args: readonly string[]): string | null {
  if (interpreter.test(name) && !startsWithScript(args)) return 'runs code that is not a file of the project'
  if (Object.hasOwn(runsAnother, name) && args.some((each) => runsAnother[name]?.test(each))) {
    return 'is told by an option to run or change something else'
  }
  const [command = '', ...rest] = args
  if (name === 'git') return gitConcern(command, rest)
  if (packageRunners.has(name) && /^(?:exec|x|dlx|create|init|config|set)$/.test(command)) {
    return `${command} fetches and runs, or changes how things are run`
  }
  return null
}

function gitConcern(command: string, rest: readonly string[]): string | null {
  if (gitRunners.has(command)) return `${command} can be told to run other programs`
  if (command === 'rebase' && rest.some((each) => /^-x|^--e/.test(each))) return 'rebase is told to run a command'
  const isRemote = /^(?:push|pull|fetch|ls-remote)$/.test(command)
  return isRemote && rest.some((each) => /[:@]/.test(each)) ? 'talks to a machine that its arguments name' : null
}

/** `x.py` and `-m pytest`; modules that run the code of their arguments are not among them. */
function startsWithScript([first = '', second = '']: readonly string[]): boolean {
  if (first === '-m')
    return /^\w[\w.]*$/.test(second) && !/^(?:timeit|pdb|profile|cProfile|trace|code|runpy)$/.test(second)
  return first !== '' && !first.startsWith('-')
}

function keyOf(program: string, args: readonly string[]): string | null {
  const name = programName(program)
  const [first = '', second = ''] = args
  if (interpreter.test(name)) return first === '-m' ? `${program} -m ${second}` : `${program} ${first}`
  if (name === 'rm') return args.some((each) => /^-\w*[rR]|^--r/.test(each)) ? `${program} -r` : program
  if (!withCommands.has(name)) return program
  if (first === '') return program
  // An option before the command can change what all of it means.
  if (first.startsWith('-')) return args.length === 1 ? `${program} ${first}` : null
  const isScript = packageRunners.has(name) && /^(?:run|run-script)$/.test(first)
  return isScript && second ? `${program} ${first} ${second}` : `${program} ${first}`
}
