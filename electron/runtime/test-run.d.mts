export interface Count {
  readonly passed: number
  readonly failed: number
}
export function countOf<Report>(status: number | null, reportText: string, read: (report: Report) => Count): Count
export function readVitest(report: { readonly numPassedTests: number; readonly numFailedTests: number }): Count
export function readPlaywright(report: {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number }
}): Count
export function failedInVitest(report: {
  readonly testResults: readonly {
    readonly name: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}): readonly string[]
interface PlaywrightSuite {
  readonly specs?: readonly { readonly ok: boolean; readonly file: string; readonly title: string }[]
  readonly suites?: readonly PlaywrightSuite[]
}
export function failedInPlaywright(report: PlaywrightSuite): readonly string[]
export function e2eRuns(platform: NodeJS.Platform): readonly { readonly command: string; readonly report: string }[]
export function addUp(counts: readonly Count[]): { readonly line: string; readonly exitCode: number }
export function runSideBySide(
  script: string,
  at: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  say?: (text: string) => void,
): Promise<boolean>
