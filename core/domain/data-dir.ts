/** Environment variables as the callers hand them over. */
type Environment = Readonly<Record<string, string | undefined>>

/**
 * Where Threadsmith keeps its data: `THREADSMITH_HOME`, else the system's own place for it. `HOME` (on Windows
 * `USERPROFILE`) must stand in `env`. Source: CLI.md.
 */
export function dataDir(platform: string, env: Environment): string {
  const chosen = env.THREADSMITH_HOME
  if (chosen) return chosen
  if (platform === 'win32') return `${env.APPDATA || `${env.USERPROFILE ?? ''}\\AppData\\Roaming`}\\Threadsmith`
  const home = env.HOME ?? ''
  if (platform === 'darwin') return `${home}/Library/Application Support/Threadsmith`
  const config = env.XDG_CONFIG_HOME
  // A relative path here is to be ignored, says the XDG specification.
  return `${config?.startsWith('/') ? config : `${home}/.config`}/threadsmith`
}
