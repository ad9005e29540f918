import type { Slots } from './folders.ts'

/** A request that is beyond the planner: it has to say so, give no answer of its own and leave the folder untouched. */
export type Refusal = { readonly id: string; readonly text: (f: Slots) => string }

export const refusals: readonly Refusal[] = [
  { id: 'delete-largest', text: () => 'delete the largest file' },
  { id: 'translate', text: (f) => `Translate ${f.note} into German, please` },
  { id: 'weather', text: () => 'what will the weather be on Saturday?' },
  { id: 'why-drop', text: (f) => `Why did the ${f.amount.toLowerCase()} in ${f.table} go down last month?` },
  { id: 'poem', text: () => 'write a poem about this folder' },
  { id: 'email', text: (f) => `email a summary of ${f.story} to Bob` },
  { id: 'fix-typos', text: (f) => `Fix the typos in ${f.note}` },
  { id: 'hamlet', text: () => 'who wrote Hamlet?' },
  { id: 'open-web', text: () => 'open https://example.com and tell me what it says' },
  { id: 'opinion', text: (f) => `is ${f.note} well written?` },
  { id: 'rename', text: (f) => `rename ${f.bare} to ${f.bare}-old` },
  { id: 'forecast', text: (f) => `Predict the total ${f.amount} per ${f.per} for next year` },
  { id: 'convert', text: (f) => `convert ${f.table} to an Excel file` },
  { id: 'append', text: (f) => `add a line "checked by me" to the end of ${f.story}` },
  { id: 'run', text: () => 'run npm test and count the failures' },
  { id: 'exchange-rate', text: (f) => `how much is ${f.whole} euros in dollars today` },
  { id: 'advice', text: (f) => `which of the ${f.categories} in ${f.table} should I drop?` },
  { id: 'sort-save', text: (f) => `Sort ${f.table} by ${f.amount} and save it back to the file` },
  { id: 'chart', text: (f) => `draw me a bar chart of ${f.jsonNumber} from ${f.json}` },
  { id: 'remove-duplicates', text: () => 'get rid of all the duplicate files' },
]
