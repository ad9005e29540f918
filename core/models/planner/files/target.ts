import { inWords } from '../answer.ts'
import type { Reading, Unit } from '../language/reading.ts'
import { isConcept } from '../language/reading.ts'
import { type Answer, declined, weakly } from '../plan.ts'
import { type Catalogue, extensionOf } from './catalogue.ts'
import { type Mention, mentionsIn } from './mentions.ts'

/** What the request names: files and folders, or words that name nothing. */
export interface Target {
  readonly mentions: readonly Mention[]
  readonly unknown: readonly Unit[]
}

/** Finds what is named. Without a name, "the JSON file" is the only one of its kind. */
export function targetOf(reading: Reading, catalogue: Catalogue): Target {
  const everywhere = mentionsIn(reading, catalogue).filter((m) => m.files.length + m.folders.length > 0)
  const mentions = inNamedFolder(reading, catalogue, everywhere)
  const unknown = reading.units.filter((unit, at) => {
    const isName = unit.kind === 'open' || unit.kind === 'path' || unit.kind === 'quoted'
    return isName && !mentions.some((m) => m.from <= at && at < m.to)
  })
  if (mentions.length > 0) return { mentions: narrowed(reading, mentions), unknown }
  const byKind = kindMention(reading, catalogue)
  return { mentions: byKind ? [byKind] : [], unknown }
}

// "the readme in docs": a folder that is named beside a file says where the file is.
function inNamedFolder(reading: Reading, catalogue: Catalogue, everywhere: readonly Mention[]): readonly Mention[] {
  const folder = everywhere.find((m) => m.folders.length === 1 && m.files.length === 0)
  const prefix = folder && `${folder.folders[0]?.path}/`
  if (folder === undefined || prefix === undefined || everywhere.length < 2) return everywhere
  const inside = { ...catalogue, files: catalogue.files.filter((f) => f.path.startsWith(prefix)) }
  const again = mentionsIn(reading, inside).filter((m) => m.files.length > 0)
  return again.length > 0 ? [...again, folder] : everywhere
}

// "the orders json file": the kind decides between orders.csv and orders.json.
function narrowed(reading: Reading, mentions: readonly Mention[]): readonly Mention[] {
  const kinds = reading.units.flatMap((u) => (u.kind === 'fileKind' ? u.extensions : []))
  if (kinds.length === 0) return mentions
  return mentions.map((m) => {
    const files = m.files.filter((f) => kinds.includes(extensionOf(f.path)))
    return files.length > 0 ? { ...m, files } : m
  })
}

function kindMention(reading: Reading, catalogue: Catalogue): Mention | undefined {
  const at = reading.units.findIndex((u) => u.kind === 'fileKind')
  const unit = reading.units[at]
  if (unit?.kind !== 'fileKind') return undefined
  const noun = reading.units.slice(at + 1, at + 3).find((u) => isConcept(u, 'file'))
  const isPlural = /s$/.test((noun ?? unit).text.toLowerCase())
  const files = catalogue.files.filter((f) => unit.extensions.includes(extensionOf(f.path)))
  if (isPlural || files.length === 0) return undefined
  return { from: at, to: at + 1, text: unit.text, files, folders: [], by: 'words' }
}

/** Names that nobody means as a word of a text. */
const usualNames = /^(?:readme|licen[cs]e|changelog|contributing|makefile|dockerfile)$/i

const webAddress = /^(?:https?:|www\.)|\.(?:com|org|net|io|edu|gov|info|eu|uk|de|fr)$/i

const fileEnding = /\.[a-z]\w{0,7}$|\//i

/** True for words that can only be meant as the name of a file: with an extension, or one that every project has. */
export function isFileName(text: string): boolean {
  return (fileEnding.test(text) && !webAddress.test(text)) || usualNames.test(text)
}

export function noSuchFile(names: readonly string[]): string {
  return `There is no file called ${inWords(
    names.map((name) => `"${name}"`),
    'or',
  )} in this project.`
}

/** A file that is not there is said to be missing: no model would find it either. Other words are not understood. */
export function unknownNames(unknown: readonly Unit[]): Answer {
  const names = unknown.map((u) => u.text)
  if (names.length > 0 && names.every(isFileName)) return weakly(noSuchFile(names))
  return declined(`Nothing in this project fits ${inWords(unknown.map((u) => `"${u.text}"`))}.`)
}
