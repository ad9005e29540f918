import fs from 'node:fs'
import path from 'node:path'

/** A file that ships with the app, as text. `name` is relative to `contentDir`, '/' separated. */
export function readContent(contentDir: string, name: string): string {
  return fs.readFileSync(path.join(contentDir, name), 'utf8')
}

/** The fixed texts of which a system message is made. */
export function promptTexts(contentDir: string) {
  return {
    system: readContent(contentDir, 'core/orchestrator/prompts/system.md'),
    code: readContent(contentDir, 'core/orchestrator/prompts/code.md'),
    functions: readContent(contentDir, 'core/orchestrator/prompts/functions.md'),
    run: readContent(contentDir, 'core/orchestrator/prompts/run.md'),
  }
}
