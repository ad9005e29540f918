/** What a refusal ends with; the window shows a button for it. */
export const plannerRefusalMark = '[Connect a model](threadsmith://settings/models)'

const whatItCan =
  'It can show what is in this folder, find, read and summarise files, count, add up, compare, group and sort what is in text, CSV and JSON files, work with dates and arithmetic, and remember notes.'

/** A refusal: what is not possible, and why, in one sentence; what is; how to get more. Nothing was done. */
export function refusalText(reason: string): string {
  return `The built-in planner cannot do this. ${reason}\n\n${whatItCan} For anything beyond that, connect a model.\n\n${plannerRefusalMark}`
}
