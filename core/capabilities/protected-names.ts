/**
 * The part of a path that programs obey without asking a person, or that holds keys: what a file of that name says is run
 * by git, by an editor, by a shell or a build service. Undefined for an ordinary path.
 */
export function protectedPart(given: string): string | undefined {
  const segments = given.split(/[\\/]/).map((segment) => ({ segment, plain: plainName(segment) }))
  const at = segments.findIndex(({ plain }) => isProtected(plain))
  if (at >= 0) return segments[at]?.segment
  // The folder itself counts as well: a move to it brings its workflows along.
  const github = segments.findIndex(({ plain }) => plain === '.github')
  const next = segments[github + 1]
  if (github >= 0 && (next === undefined || next.plain === '' || next.plain === 'workflows')) return '.github/workflows'
  return undefined
}

const names = new Set([
  ...[
    '.git',
    '.gitconfig',
    '.vscode',
    '.ssh',
    '.threadsmith',
    '.agents',
    '.claude',
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pypirc',
    '.netrc',
  ],
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.profile', '.zshrc', '.zshenv', '.zprofile'],
  ...['.zlogin', '.zlogout', '.kshrc', '.cshrc', '.tcshrc', '.login', '.inputrc', 'config.fish'],
])

function isProtected(plain: string): boolean {
  return names.has(plain) || plain.startsWith('.env') || /^git~\d+$/.test(plain)
}

/** As a disk may read it that knows no case, drops dots and blanks at the end, or passes over characters without a shape. */
function plainName(segment: string): string {
  return segment
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/:.*$/, '')
    .replace(/[. ]+$/, '')
    .toLowerCase()
}
