import type { ErrorBody } from './error.ts'

/** The window's own calls: what only the desktop shell can do. Same channel as the engine's calls, names begin `shell.`. */
export interface ShellCalls {
  /** Shows the system's folder dialog. */
  'shell.pickFolder': { readonly input: Record<string, never>; readonly output: { readonly folder: string | null } }
  /** Shows the system's file dialog for a GGUF model. */
  'shell.pickFile': { readonly input: Record<string, never>; readonly output: { readonly file: string | null } }
  /** Shows the system's file dialog for a skill: a zip file or a SKILL.md. A folder of skills is picked as any folder. */
  'shell.pickSkillFile': { readonly input: Record<string, never>; readonly output: { readonly file: string | null } }
  /** Shows where a file lies in the system's file manager. It is never opened. */
  'shell.showFile': { readonly input: { readonly path: string }; readonly output: Record<string, never> }
  /** http, https and mailto only; shows nothing and answers `opened: false` for anything else. */
  'shell.openExternal': { readonly input: { readonly url: string }; readonly output: { readonly opened: boolean } }
  'shell.openDataFolder': { readonly input: Record<string, never>; readonly output: Record<string, never> }
  /** The folder of a person's own skills, which is made where there is none. */
  'shell.openSkillsFolder': { readonly input: Record<string, never>; readonly output: Record<string, never> }
  'shell.copyText': { readonly input: { readonly text: string }; readonly output: Record<string, never> }
  'shell.state': { readonly input: Record<string, never>; readonly output: ShellState }
  /** Puts a backup in the store's place; the file that was there is kept beside it. Starts the engine. */
  'shell.restoreBackup': { readonly input: { readonly path: string }; readonly output: ShellState }
  /** Moves the unreadable store aside and starts with an empty one. */
  'shell.startFresh': { readonly input: Record<string, never>; readonly output: ShellState }
  /** Stops the threads that the store's owner runs, so that it lets go; the app then takes over by itself. */
  'shell.stopOwner': { readonly input: Record<string, never>; readonly output: Record<string, never> }
  'shell.retryStart': { readonly input: Record<string, never>; readonly output: ShellState }
  /** What the app does while nobody looks at it, as the system has it. */
  'shell.desktop': { readonly input: Record<string, never>; readonly output: DesktopState }
  /** Starts the app at login, or no more. */
  'shell.setLogin': { readonly input: { readonly isOn: boolean }; readonly output: DesktopState }
  'shell.quit': { readonly input: Record<string, never>; readonly output: Record<string, never> }
}
export type ShellCallName = keyof ShellCalls

/** `note`: what about it is not as one would think. */
export interface LoginState {
  readonly isOn: boolean
  readonly note: string | null
}

export interface DesktopState {
  readonly login: LoginState
  /**
   * `isUsual`: this platform has a tray for certain; where the setting says nothing, that decides. `isFailed`: the settings want
   * its icon, and the system made none.
   */
  readonly tray: { readonly isUsual: boolean; readonly isShown: boolean; readonly isFailed: boolean }
  /** Closing the window leaves the app in the tray, where a mission is active: the setting, and an icon that is there. */
  readonly keepsRunning: boolean
}

export interface StoreBackup {
  readonly path: string
  readonly at: number
  readonly bytes: number
}

/** `starting` until the store is open; `readOnly` while another engine owns it; `failed` when it cannot be opened. */
export type ShellState =
  | { readonly phase: 'starting' }
  | { readonly phase: 'ready' }
  | { readonly phase: 'readOnly'; readonly owner: { readonly pid: number; readonly command: string } }
  | {
      readonly phase: 'failed'
      readonly error: ErrorBody
      readonly storePath: string
      readonly backups: readonly StoreBackup[]
    }

/** Everything that main pushes to the window, on one channel. */
export type ShellPush<EventBatch> =
  | { readonly type: 'engine'; readonly batch: EventBatch }
  | { readonly type: 'state'; readonly state: ShellState }
  | { readonly type: 'command'; readonly id: string }
  /** Where the window is to go: the part of its address after `#`, with it. */
  | { readonly type: 'place'; readonly hash: string }
