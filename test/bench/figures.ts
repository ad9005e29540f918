/** Of an odd number of rounds. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Round by round, so that what else the machine did in that moment weighs on both sides. */
export function ratios(ours: readonly number[], theirs: readonly number[]): readonly number[] {
  return ours.map((value, at) => value / (theirs[at] ?? Number.NaN))
}

export function spreadText(values: readonly number[]): string {
  return `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)})`
}

export function say(text = ''): void {
  process.stdout.write(`${text}\n`)
}

/** Columns as wide as their widest cell. */
export function sayTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  for (const row of rows) say(row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
}
