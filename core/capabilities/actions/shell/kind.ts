import { leadsOutside, namesGitFolder, programName } from './program.ts'
import { isReader } from './read-only.ts'

/** What a wider approval of a plain command would cover, or why there can be none. */
export interface Kind {
  readonly scopeKey: string | null
  readonly concerns: readonly string[]
}

/** Programs that run whatever their arguments say: each call is another thing. */
const runners: readonly (readonly [programs: string, concern: string])[] = [
  [
    'env nohup nice ionice timeout setsid stdbuf watch xargs parallel busybox toybox chroot unshare nsenter script strace ltrace gdb valgrind perf entr tmux screen systemd-run flock taskset prlimit setarch fakeroot bwrap firejail run-parts start-stop-daemon xvfb-run dbus-run-session ssh-agent unbuffer rlwrap nodemon concurrently cross-env dotenv torify proxychains',
    'runs the command that its arguments name',
  ],
  ['npx bunx uvx pipx dlx corepack', 'fetches and runs a package by its name'],
  ['awk gawk mawk nawk sed ed ex', 'runs a program that its arguments spell out'],
  ['vi vim nvim vimdiff emacs nano less more man', 'can run commands from inside'],
  [
    'ssh scp sftp rsync nc ncat netcat socat telnet ftp lftp curl wget aria2c gh glab aws gcloud az kubectl helm terraform openssl',
    'talks to other machines',
  ],
  ['docker docker-compose podman nerdctl lxc', 'reaches beyond the project folder by design'],
  [
    'apt apt-get dpkg apk dnf yum pacman brew snap flatpak port choco winget scoop',
    'changes the programs of the system',
  ],
  ['cmd powershell pwsh wscript cscript mshta rundll32 start osascript open xdg-open', 'starts programs of the system'],
  ['sqlite3 psql mysql mongosh redis-cli', 'takes commands of its own'],
  ['expect tclsh lua luajit php ruby perl rscript julia ghci irb bc dc', 'runs code'],
]
const concernOf = new Map(runners.flatMap(([names, concern]) => names.split(' ').map((name) => [name, concern])))

/** Interpreters: with a script file first, that script is the kind; with anything else before it there is none. */
const interpreter = /^(?:node|deno|bun|python[\d.]*|pypy3?|bash|sh|dash|zsh|ksh|fish|tsx|ts-node)$/

/** Programs whose first argument says what they do. */
const withCommands = new Set(
  'npm pnpm yarn git cargo go pip pip3 poetry pdm pipenv hatch uv dotnet mvn gradle make just rake bundle composer mix flutter dart swift rustup nx turbo'.split(
    ' ',
  ),
)
const packageRunners = new Set('npm pnpm yarn'.split(' '))
/** Programs whose `run` or `exec` runs anything. */
const environmentRunners = new Set('poetry pdm pipenv hatch uv bundle mix rustup nx'.split(' '))

const packageOptions = /^--(?:sc|node-o|pre|globalc|userc|git|shell-e)/
const compilerOptions = /^-(?:wrapper|fplugin|B)|^@/
/** Options by which a program is told to run another one; a long one may be shortened, as programs allow it. */
const runsAnother: Readonly<Record<string, RegExp>> = {
  find: /^-(?:exec|ok|delete|fprint|fls)/,
  tar: /^--(?:ch|to|us|rs|rm|in|ne)|^-[a-zA-Z]*[IFP]|^[a-zA-Z]*[IFP][a-zA-Z]*$/,
  fd: /^-[xX]|^--exec/,
  zip: /^-TT|^--un/,
  git: /^-[cCO]|^--(?:conf|exe|upl|rec|ext-|text|open|ou|gi|wo)/,
  npm: packageOptions,
  pnpm: packageOptions,
  yarn: packageOptions,
  make: /^--(?:e|f|mak|d)|^-[a-zA-Z]*[fCI]|^[A-Za-z_]+[:+?!]*=/,
  cargo: /^--config/,
  go: /^-{1,2}(?:exec|toolexec)/,
  gcc: compilerOptions,
  'g++': compilerOptions,
  cc: compilerOptions,
  'c++': compilerOptions,
  clang: compilerOptions,
  'clang++': compilerOptions,
}
/** Of a program on none of these lists. */
const inlineCode = /^(?:-e|-c|--eval|--exec|--execute|--command|--cmd)(?:=|$)/
const gitRunners =
  /^(?:config|bisect|filter-branch|difftool|mergetool|submodule|clone|archive|send-email|instaweb|daemon|hook|help|for-each-repo|svn|p4|cvs\w*|gui|citool|web--browse|maintenance|credential.*|remote.*)$/

export function kindOf(argv: readonly string[], folder: string): Kind {
  const [program = '', ...args] = argv
  const name = programName(program)
  const outside = args.filter((each) => leadsOutside(each, folder))
  const concern = concernOf.get(name) ?? ownConcern(name, args)
  const concerns = [
    ...(concern ? [`${name} ${concern}`] : []),
    ...outside.slice(0, 5).map((each) => `${each} leads outside the project folder`),
    ...(args.some(namesGitFolder) ? ["it touches git's own files"] : []),
    ...(leadsOutside(program, folder) ? [`${program} is a program outside the project folder`] : []),
  ]
  return { scopeKey: concerns.length > 0 ? null : keyOf(program, args), concerns }
}

function ownConcern(name: string, args: readonly string[]): string | null {
  if (interpreter.test(name)) return startsWithScript(args) ? null : 'runs code that is not a file of the project'
  const others = isReader([name]) ? undefined : inlineCode
  const options = Object.hasOwn(runsAnother, name) ? runsAnother[name] : others
  if (args.some((each) => options?.test(each))) return 'can be told so to run or change other things'
  const [command = '', ...rest] = args
  if (name === 'git') return gitConcern(command, rest)
  if (environmentRunners.has(name) && /^(?:run|exec|x|tool)$/.test(command)) return `${command} runs what follows it`
  if (packageRunners.has(name) && /^(?:exec|x|dlx|create|init|config|set)$/.test(command)) {
    return `${command} fetches and runs, or changes how things are run`
  }
  return null
}

function gitConcern(command: string, rest: readonly string[]): string | null {
  if (gitRunners.test(command)) return `${command} can be told to run other programs`
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
  if (!/^[\w.:][\w.:/-]*$/.test(first)) return args.length === 1 ? `${program} ${first}` : null
  const isScript = packageRunners.has(name) && /^(?:run|run-script)$/.test(first)
  return isScript && second ? `${program} ${first} ${second}` : `${program} ${first}`
}
