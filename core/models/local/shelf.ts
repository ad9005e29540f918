import fs from 'node:fs/promises'
import path from 'node:path'
import { AppError, type ErrorBody, errorBody } from '../../domain/error.ts'
import { limits } from '../../domain/limits.ts'
import type { LocalModel } from '../../domain/local.ts'
import type { LocalModelSettings } from '../../domain/settings.ts'
import { fileUnreachable, readGguf } from './gguf.ts'

/** Where the list of models is kept: the settings. */
export interface LocalModelList {
  current(): readonly LocalModelSettings[]
  save(models: readonly LocalModelSettings[]): void
}

/** The GGUF files that this person has chosen, and what is known of each. */
export interface Shelf {
  find(name: string): LocalModelSettings | undefined
  /** Reads the file's header. One that is there already is read anew and keeps its name. @throws AppError local.file */
  add(file: string, title?: string): Promise<LocalModelSettings>
  /** @throws AppError local.not_found */
  change(name: string, change: Pick<LocalModelSettings, 'contextTokens' | 'threads'>): LocalModelSettings
  /** @throws AppError local.not_found */
  remove(name: string): LocalModelSettings
  /** With what is wrong with a file now. */
  shown(): Promise<readonly LocalModel[]>
  show(model: LocalModelSettings): Promise<LocalModel>
}

export function createShelf(list: LocalModelList): Shelf {
  function required(name: string): LocalModelSettings {
    const found = list.current().find((model) => model.name === name)
    if (found !== undefined) return found
    throw noSuchModel(name)
  }
  function replace(name: string, model: LocalModelSettings | null): void {
    const others = list.current().filter((each) => each.name !== name)
    list.save(model === null ? others : [...others, model].sort((a, b) => a.name.localeCompare(b.name)))
  }

  return {
    find: (name) => list.current().find((model) => model.name === name),
    async add(given, title) {
      if (!path.isAbsolute(given)) throw notAbsolute(given)
      const facts = await readGguf(given)
      const file = await fs.realpath(given)
      const known = list.current().find((model) => model.file === file)
      if (known === undefined && list.current().length >= limits.localModels) throw tooMany()
      const name = known?.name ?? freeName(path.basename(file), list.current())
      const own = known ?? { contextTokens: null, threads: null }
      const shownTitle = title ?? facts.title ?? name
      const model = { ...facts, name, file, title: shownTitle, contextTokens: own.contextTokens, threads: own.threads }
      replace(name, model)
      return model
    },
    change(name, { contextTokens, threads }) {
      const model = { ...required(name), contextTokens, threads }
      replace(name, model)
      return model
    },
    remove(name) {
      const model = required(name)
      replace(name, null)
      return model
    },
    shown: () => Promise.all(list.current().map(showModel)),
    show: showModel,
  }
}

async function showModel(model: LocalModelSettings): Promise<LocalModel> {
  const { cacheBytesPerToken: _cache, ...shown } = model
  // The library writes calls into any chat template, and holds the model to their grammar.
  return { ...shown, callsActions: model.purpose === 'chat', problem: await problemOf(model) }
}

async function problemOf({ file, bytes }: LocalModelSettings): Promise<ErrorBody | null> {
  try {
    await fs.access(file, fs.constants.R_OK)
    const { size } = await fs.stat(file)
    return size === bytes ? null : errorBody(changed(file))
  } catch (cause) {
    return errorBody(fileUnreachable(file, cause))
  }
}

/** As `<name>` of `local/<name>`: the file's own, in characters that need no quoting on a command line. */
function freeName(fileName: string, taken: readonly LocalModelSettings[]): string {
  const bare = fileName
    .replace(/\.gguf$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 100)
  const base = bare === '' ? 'model' : bare
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`
    if (!taken.some((model) => model.name === name)) return name
  }
}

export function noSuchModel(name: string): AppError {
  return new AppError('local.not_found', {
    message: `no local model ${name}`,
    userMessage: `There is no model “${name}” on this computer any more. Nothing was changed. Choose another in Settings → Models.`,
  })
}

function changed(file: string): AppError {
  return new AppError('local.file', {
    message: `${file}: another size than when it was added`,
    userMessage: `The file ${file} is not the one that was added: its size has changed. Add it again, so that it is read anew.`,
  })
}

function tooMany(): AppError {
  return new AppError('local.file', {
    message: `over ${limits.localModels} local models`,
    userMessage: `Threadsmith knows ${limits.localModels} models on this computer, and takes no more. Nothing was changed. Remove one in Settings → Models, then add this one.`,
  })
}

function notAbsolute(file: string): AppError {
  return new AppError('local.file', {
    message: `${file}: not an absolute path`,
    userMessage: `The path of a model file must be given whole, and “${file}” is a part of one. Nothing was changed.`,
  })
}
