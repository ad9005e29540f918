import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { z } from 'zod'

const packageFile = z.object({ version: z.string() })

/**
 * The version of the library that runs models, found beside the app without loading it; undefined where it is not installed,
 * which is in order: it is an optional part.
 */
export function findLibrary(): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths('node-llama-cpp') ?? []
  for (const folder of folders) {
    const file = path.join(folder, 'node-llama-cpp', 'package.json')
    const read = packageFile.safeParse(jsonOf(file))
    if (read.success) return read.data.version
  }
  return undefined
}

function jsonOf(file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    // Not in this folder: the next one is looked at.
    return undefined
  }
}
