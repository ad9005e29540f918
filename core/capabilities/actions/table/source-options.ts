export const tableFormats = ['csv', 'tsv', 'json', 'jsonl', 'lines'] as const
export type TableFormat = (typeof tableFormats)[number]

export interface SourceOptions {
  readonly format: TableFormat
  /** Path to the list inside a JSON file. */
  readonly at: string | undefined
  readonly signal: AbortSignal
  /** Positions of a header's names, each used once in one file. */
  placeHeader(names: readonly string[]): number[]
  note(text: string): void
}
