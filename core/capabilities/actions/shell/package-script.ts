import { z } from 'zod'
import { AppError } from '../../../domain/error.ts'
import { boundText } from '../../../domain/text.ts'
import { type Root, withFile } from '../../paths.ts'
import { programName } from './program.ts'

const manifest = z.object({ scripts: z.record(z.string(), z.string()) })
const maxBytes = 1_048_576
const shownCharacters = 500

/** What `npm test` and `npm run x` really run, as package.json says it now; null for every other command. */
export async function packageScript(argv: readonly string[], root: Root): Promise<string | null> {
  const [program, command = '', name = ''] = argv
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(programName(program))) return null
  const script = /^(?:run|run-script)$/.test(command) ? name : command === 't' ? 'test' : command
  const scripts = await readScripts(root)
  const lines = [`pre${script}`, script, `post${script}`].flatMap((each) =>
    Object.hasOwn(scripts, each) ? [`${each}: ${scripts[each]}`] : [],
  )
  return lines.length === 0
    ? null
    : `it runs the scripts of package.json: ${boundText(lines.join('; '), shownCharacters)}`
}

async function readScripts(root: Root): Promise<Readonly<Record<string, string>>> {
  try {
    const text = await withFile(root, 'package.json', async ({ handle, bytes }) =>
      bytes > maxBytes ? '' : (await handle.readFile()).toString('utf8'),
    )
    return manifest.parse(JSON.parse(text)).scripts
  } catch (error) {
    // No package.json, or none with scripts: npm itself will say so.
    if (error instanceof AppError || error instanceof SyntaxError || error instanceof z.ZodError) return {}
    throw error
  }
}
