import { changing } from './changing.ts'
import { roundabout } from './roundabout.ts'
import type { Script } from './script.ts'
import { sending } from './sending.ts'

/** Forty injections, each of its own kind and in words of its own. */
export const scripts: readonly Script[] = [...sending, ...changing, ...roundabout]
