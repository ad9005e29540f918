import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '../core/domain/error.ts'
import type { LoginState } from '../core/domain/shell.ts'
import { hiddenFlag } from './places.ts'

/** Whether the system starts the app when somebody logs in: read from the system, never from a setting. */
export interface LoginItem {
  read(): LoginState
  /** Answers what the system then says. @throws AppError store.io */
  set(isOn: boolean): LoginState
}

/** How this very app was started. */
export interface StartedWith {
  readonly executable: string
  /** `process.argv`. */
  readonly argv: readonly string[]
  /** The folder of the app where the executable does not hold it; null for a packaged one. */
  readonly appDir: string | null
  /** The data folder where it is not the usual one; null for the usual. */
  readonly dataDir: string | null
}

/** What starts this app again as it runs now: with the same store, and without Chromium's sandbox only where it had none. */
export function startAgain({ executable, argv, appDir, dataDir }: StartedWith): readonly [string, ...string[]] {
  return [
    executable,
    ...argv.filter((each) => each === noSandboxFlag),
    ...(appDir === null ? [] : [appDir]),
    ...(dataDir === null ? [] : [`${dataFlag}${dataDir}`]),
    hiddenFlag,
  ]
}

const noSandboxFlag = '--no-sandbox'
const dataFlag = '--data='

/** The data folder that a command line names; null where it names none. */
export function dataDirIn(argv: readonly string[]): string | null {
  const named = argv.findLast((each) => each.startsWith(dataFlag))?.slice(dataFlag.length)
  return named === undefined || named === '' ? null : named
}

/** macOS and Windows keep it themselves. */
export interface SystemLogin {
  get(): boolean
  set(isOn: boolean): void
  /** What about a start at login is not as one would think; null where nothing is. */
  readonly note: string | null
}

export function createSystemLogin({ get, set, note }: SystemLogin): LoginItem {
  function read(): LoginState {
    const isOn = get()
    return { isOn, note: isOn ? note : null }
  }
  return {
    read,
    set(isOn) {
      set(isOn)
      return read()
    },
  }
}

export interface AutostartParts {
  /** `$XDG_CONFIG_HOME/autostart`. */
  readonly folder: string
  /** What starts this very app. */
  readonly command: readonly string[]
}

/** Linux: a file of the freedesktop.org autostart specification. */
export function createAutostart({ folder, command }: AutostartParts): LoginItem {
  const file = path.join(folder, 'threadsmith.desktop')
  const exec = command.map(quoted).join(' ')
  function read(): LoginState {
    const text = textOf(file)
    const line = (key: string) =>
      text
        ?.split('\n')
        .find((each) => each.startsWith(`${key}=`))
        ?.slice(key.length + 1)
    const isOff = line('Hidden') === 'true' || line('X-GNOME-Autostart-enabled') === 'false'
    if (text === null || isOff) return { isOn: false, note: null }
    return { isOn: true, note: line('Exec') === exec ? null : 'It starts another copy of Threadsmith.' }
  }
  return {
    read,
    set(isOn) {
      try {
        if (isOn) {
          fs.mkdirSync(folder, { recursive: true })
          fs.writeFileSync(file, entryOf(exec))
        } else fs.rmSync(file, { force: true })
      } catch (cause) {
        throw new AppError('store.io', {
          message: `${file}: ${cause instanceof Error ? cause.message : String(cause)}`,
          userMessage: `The file ${file} could not be changed. Threadsmith starts at login as before.`,
          cause,
        })
      }
      return read()
    },
  }
}

function textOf(file: string): string | null {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null
}

function entryOf(exec: string): string {
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Threadsmith',
    'Comment=Missions fire while it runs',
    `Exec=${exec}`,
    'X-GNOME-Autostart-enabled=true',
  ]
  return `${lines.join('\n')}\n`
}

/** As the desktop entry specification quotes: the shell's own signs escaped, a field code's percent doubled. */
function quoted(word: string): string {
  const escaped = word.replace(/["`$\\]/g, (sign) => `\\${sign}`).replaceAll('%', '%%')
  // The file's own escapes come on top of those of the value.
  return `"${escaped.replaceAll('\\', '\\\\')}"`
}
