export interface FoundElectron {
  readonly executable: string
  readonly version: string
  readonly source: 'official' | 'override' | 'fallback'
  /** What a process that starts it needs besides. */
  readonly env: Readonly<Record<string, string>>
}

/** The machine as `resolveElectron` sees it. `target` is platform-arch, `today` YYYY-MM-DD. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly target: string
  readonly today: string
  readonly cache: string
  readonly officialVersion: string
  officialExecutable(): string | undefined
  downloadOfficial(): Promise<void>
  hasFallback(): boolean
  makeFallback(): void
  say(text: string): void
}

export function resolveElectron(machine?: Machine): Promise<FoundElectron>
