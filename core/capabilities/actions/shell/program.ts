/** The name by which a program is known: without its folder, without `.exe`; lower case, as some disks do not care. */
export function programName(word: string | undefined): string {
  const name = (word ?? '').split(/[\\/]/).at(-1) ?? ''
  return name.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, '')
}

/**
 * True where an argument names something outside the project's folder, wherever in it the path stands (`--file=/etc/x`,
 * `-I/usr/include`, `HEAD:../x`). Judged by the letters alone; links are looked at apart.
 */
export function leadsOutside(argument: string, folder: string): boolean {
  return pathsIn(argument).some((each) => {
    if (/^~|^[a-z]:[\\/]|^\\\\|^file:/i.test(each)) return true
    if (each.split(/[\\/]/).includes('..')) return true
    return each.startsWith('/') && each !== folder && !each.startsWith(`${folder}/`)
  })
}

/** What of an argument may be a path: all of it, what follows = or : or a comma, what is glued to a short option. */
export function pathsIn(argument: string): string[] {
  const glued = /^-\w+?([~/.].*)$/s.exec(argument)?.[1]
  const short = /^-\w(.+)$/s.exec(argument)?.[1]
  const parts = [argument, ...argument.split(/[=:,]/).slice(1), glued, short]
  return parts.filter((each) => each !== undefined)
}

/** True where an argument names git's own files: they hold credentials, and hooks that run by themselves. */
export function namesGitFolder(argument: string): boolean {
  return pathsIn(argument).some((each) => each.split(/[\\/]/).some((part) => part.toLowerCase() === '.git'))
}
