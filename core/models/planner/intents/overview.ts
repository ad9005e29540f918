import { amount, byteText, code, inWords, paragraphs, tableText } from '../answer.ts'
import { outcomeError, type Plan } from '../plan.ts'
import { type Listing, listFiles } from '../results.ts'

const entriesShown = 60

/** What is in a folder: its totals, its kinds of files, what is at its top. */
export function* overviewText(folder: string): Plan<string> {
  const [top, all] = yield* listFiles.all([{ path: folder }, { path: folder, recursive: true, limit: 1000 }])
  const failed = [top, all].find((attempt) => attempt?.ok === false)
  if (failed?.ok === false) throw outcomeError('list_files', failed)
  if (!top?.ok || !all?.ok) return ''
  if (all.value.total === 0) return `${folderName(folder)} is empty.`
  return paragraphs(
    totalsText(folder, top.value, all.value),
    kindsText(all.value),
    entriesText(top.value),
    leftOutText(all.value),
  )
}

/** The folder in words: the project folder is "This folder". */
function folderName(folder: string): string {
  return folder === '.' ? 'This folder' : code(folder)
}

function totalsText(folder: string, top: Listing, all: Listing): string {
  const folders = all.folders === 0 ? 'no folders' : amount(all.folders, 'folder')
  const below =
    all.files === top.files
      ? ''
      : `; ${top.files.toLocaleString('en')} of the files ${top.files === 1 ? 'lies' : 'lie'} at its top level`
  return `${folderName(folder)} holds **${amount(all.files, 'file')}** and ${folders}${below}. The files take ${byteText(all.bytes)}.`
}

function kindsText(all: Listing): string | false {
  if (all.byExtension.length === 0) return false
  const kinds = all.byExtension.map(
    (k) => `${k.files} ${k.extension === '' ? 'without an extension' : code(k.extension)}`,
  )
  return `By type: ${inWords(kinds)}.`
}

function entriesText(top: Listing): string {
  const rows = top.entries.slice(0, entriesShown).map((entry) => {
    const isFile = entry.kind === 'file'
    const name = entry.kind === 'folder' ? `${entry.path}/` : entry.path
    return [code(name), isFile ? byteText(entry.bytes) : entry.kind, entry.modified.slice(0, 10)]
  })
  const rest = top.total > rows.length ? `\n\nShown are the first ${rows.length} of ${top.total} entries.` : ''
  return `${tableText(['Name', 'Size', 'Changed'], rows)}${rest}`
}

/** What a listing did not look into, and whether it stopped early. */
export function leftOutText(listing: Listing): string {
  const skipped = listing.skipped.length > 0 && `Not looked into: ${inWords(listing.skipped.map(code))}.`
  return [skipped, listing.note].filter((part) => typeof part === 'string').join(' ')
}
