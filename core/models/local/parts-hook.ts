/**
 * Makes Node find packages of the library in a folder of the person's own, since the app's may not be writable. In the child
 * only. Where hooks run on a thread of their own (before Node 22.15), this file is loaded there once more.
 */
import module, { type ResolveHookContext } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { GpuParts } from './protocol.ts'

type Parts = Pick<GpuParts, 'folder' | 'names'>

let parts: Parts = { folder: '', names: [] }

/** From now on the packages with these names are taken from that folder, which Node's own rules then look through. */
export function resolveFrom({ folder, names }: Parts): void {
  // Not imported by its name: a version of Node without it could not load this file.
  const hooks: Partial<Pick<typeof module, 'registerHooks'>> = module
  if (hooks.registerHooks === undefined) {
    // Only the built app runs there.
    module.register(new URL('local-parts-hook.js', import.meta.url), { data: { folder, names } })
    return
  }
  initialize({ folder, names })
  hooks.registerHooks({ resolve })
}

/** Called by Node on the thread of the hooks. */
export function initialize(given: Parts): void {
  parts = given
}

/** Called by Node for each import. */
export function resolve<Resolved>(
  specifier: string,
  context: ResolveHookContext,
  next: (specifier: string, context?: Partial<ResolveHookContext>) => Resolved,
): Resolved {
  if (!parts.names.some((name) => specifier === `@node-llama-cpp/${name}`)) return next(specifier, context)
  return next(specifier, { ...context, parentURL: pathToFileURL(path.join(parts.folder, 'parts.js')).href })
}
