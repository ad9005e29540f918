// What Electron needs of a bare Debian: found by library, installed by apt as root or with sudo that asks nothing.
import { spawnSync } from 'node:child_process'

const packageOf = {
  'libgtk-3.so.0': 'libgtk-3-0',
  'libnss3.so': 'libnss3',
  'libasound.so.2': 'libasound2',
  'libgbm.so.1': 'libgbm1',
}
const succeeds = (file, args) => spawnSync(file, args, { stdio: 'ignore' }).status === 0
const has = (program) => succeeds('sh', ['-c', `command -v ${program}`])

/** @returns {string[]} the Debian packages of the libraries that the linker's list lacks */
export function missingPackages({ linkerList, withXvfb, hasXvfb }) {
  const missing = Object.entries(packageOf)
    .filter(([library]) => !linkerList.includes(library))
    .map(([, name]) => name)
  return withXvfb && !hasXvfb ? [...missing, 'xvfb', 'xauth'] : missing
}

/** Installs what is missing, or ends with the one command that a person has to run. */
export function installSystemLibraries({ withXvfb, say, step, giveUp }) {
  const linkerList = spawnSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' }).stdout ?? ''
  const missing = missingPackages({ linkerList, withXvfb, hasXvfb: has('xvfb-run') })
  if (missing.length === 0) return
  if (!has('apt-get')) return say(`Electron may lack system libraries here; on Debian they are ${missing.join(' ')}`)
  const isRoot = process.getuid() === 0
  const command = `apt-get update && apt-get install -y --no-install-recommends ${missing.join(' ')}`
  if (!isRoot && !succeeds('sudo', ['-n', 'true'])) {
    giveUp(`system libraries are missing. Run: sudo sh -c '${command}'`)
  }
  say(`installing ${missing.join(', ')}`)
  const quiet = `export DEBIAN_FRONTEND=noninteractive; apt-get update -qq && apt-get install -y -qq --no-install-recommends ${missing.join(' ')}`
  step(...(isRoot ? ['sh', ['-c', quiet]] : ['sudo', ['-n', 'sh', '-c', quiet]]))
}
