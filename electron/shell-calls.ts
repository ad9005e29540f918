import { mkdir } from 'node:fs/promises'
import { z } from 'zod'
import { AppError } from '../core/domain/error.ts'
import { limits } from '../core/domain/limits.ts'
import type { DesktopState, ShellCallName, ShellCalls } from '../core/domain/shell.ts'
import type { EngineHost } from './engine-host.ts'

/** What the shell asks of the system; main.ts gives Electron's. */
export interface Desktop {
  pickFolder(): Promise<string | null>
  /** A GGUF file. */
  pickFile(): Promise<string | null>
  /** A zip file or a SKILL.md. */
  pickSkillFile(): Promise<string | null>
  /** In the file manager, without opening it. */
  showFile(path: string): void
  openExternal(url: string): Promise<void>
  /** @throws when the system cannot show it. */
  openFolder(folder: string): Promise<void>
  copyText(text: string): void
  state(): DesktopState
  setLogin(isOn: boolean): void
  quit(): void
}

interface ShellCall<Output> {
  readonly run: (input: unknown) => Promise<Output>
}
type Host = Pick<EngineHost, 'state' | 'start' | 'restore' | 'startFresh' | 'stopOwner'>

/** What can be opened and shown: the window never says which folder, and only a file that it was told of. */
interface Places {
  readonly data: string
  /** Of a person's own skills. */
  readonly skills: string
  /** The engine has told the window of it. */
  readonly isNamed: (file: string) => boolean
}

/** Answers the calls that only the desktop can do. @throws AppError api.unknown, api.input. */
export function createShellCalls(desktop: Desktop, host: Host, places: Places) {
  const calls: { readonly [Name in ShellCallName]: ShellCall<ShellCalls[Name]['output']> } = {
    'shell.pickFolder': define(nothing, async () => ({ folder: await desktop.pickFolder() })),
    'shell.pickFile': define(nothing, async () => ({ file: await desktop.pickFile() })),
    'shell.pickSkillFile': define(nothing, async () => ({ file: await desktop.pickSkillFile() })),
    'shell.showFile': define(z.strictObject({ path: z.string().min(1).max(4_096) }), async ({ path }) => {
      if (!places.isNamed(path)) throw notNamed(path)
      desktop.showFile(path)
      return {}
    }),
    'shell.openExternal': define(z.strictObject({ url: z.string().max(8_192) }), async ({ url }) => {
      if (!isExternal(url)) return { opened: false }
      await desktop.openExternal(url)
      return { opened: true }
    }),
    'shell.openDataFolder': define(nothing, async () => {
      await desktop.openFolder(places.data)
      return {}
    }),
    'shell.openSkillsFolder': define(nothing, async () => {
      await mkdir(places.skills, { recursive: true })
      await desktop.openFolder(places.skills)
      return {}
    }),
    'shell.copyText': define(
      z.strictObject({ text: z.string().max(limits.windowCallCharacters) }),
      async ({ text }) => {
        desktop.copyText(text)
        return {}
      },
    ),
    'shell.state': define(nothing, async () => host.state()),
    'shell.restoreBackup': define(z.strictObject({ path: z.string().max(4_096) }), ({ path }) => host.restore(path)),
    'shell.startFresh': define(nothing, () => host.startFresh()),
    'shell.stopOwner': define(nothing, async () => {
      await host.stopOwner()
      return {}
    }),
    'shell.retryStart': define(nothing, () => host.start()),
    'shell.desktop': define(nothing, async () => desktop.state()),
    'shell.setLogin': define(z.strictObject({ isOn: z.boolean() }), async ({ isOn }) => {
      desktop.setLogin(isOn)
      return desktop.state()
    }),
    'shell.quit': define(nothing, async () => {
      desktop.quit()
      return {}
    }),
  }
  const table = new Map<string, ShellCall<unknown>>(Object.entries(calls))
  return async (name: string, input: unknown): Promise<unknown> => {
    const call = table.get(name)
    if (call) return call.run(input)
    throw new AppError('api.unknown', {
      message: `there is no call ${name}`,
      userMessage: 'The window asked for something that does not exist. Nothing was done.',
    })
  }
}

function notNamed(path: string): AppError {
  return new AppError('api.input', {
    message: `${path} is no file on this machine that the engine has named`,
    userMessage: 'Only files of skills on this computer can be shown in their folder. Nothing was done.',
  })
}

const nothing = z.strictObject({})

function define<Input, Output>(schema: z.ZodType<Input>, run: (input: Input) => Promise<Output>): ShellCall<Output> {
  return {
    run: async (input) => {
      const parsed = schema.safeParse(input)
      if (parsed.success) return run(parsed.data)
      throw new AppError('api.input', {
        message: z.prettifyError(parsed.error),
        userMessage: 'The window asked for this in a way that cannot be read. Nothing was done.',
      })
    },
  }
}

/** Only what a browser or a mail program opens; a file: or an app's own scheme could start anything. */
export function isExternal(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:', 'mailto:'].includes(new URL(url).protocol)
}
