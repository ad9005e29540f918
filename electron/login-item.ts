import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '../core/domain/error.ts'
import type { LoginState } from '../core/domain/shell.ts'

/** Whether the system starts the app when somebody logs in: read from the system, never from a setting. */
export interface LoginItem {
  read(): LoginState
  /** Answers what the system then says. @throws AppError store.io */
  set(isOn: boolean): LoginState
}

/** macOS and Windows keep it themselves. */
export interface SystemLogin {
  get(): boolean
  set(isOn: boolean): void
}

export function createSystemLogin({ get, set }: SystemLogin): LoginItem {
  const read = (): LoginState => ({ isOn: get(), note: null })
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
