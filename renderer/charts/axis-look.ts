/** How every chart's axes look: hairlines and labels of the smallest size, read from the tokens by the style sheet. */
export const axisLook = {
  tick: { className: 'chart-tick' },
  tickLine: false,
  axisLine: { className: 'chart-line' },
  stroke: 'var(--fg-3)',
} as const

/** Colours of several series, with a dash each: they are told apart without their colour too. */
export const seriesLooks = [
  { color: 'var(--accent)', dash: '0' },
  { color: 'var(--k-cx)', dash: '6 3' },
  { color: 'var(--k-sk)', dash: '2 2' },
  { color: 'var(--k-lm)', dash: '8 3 2 3' },
  { color: 'var(--k-th)', dash: '4 4' },
  { color: 'var(--k-tl)', dash: '10 4' },
  { color: 'var(--k-lm-fg)', dash: '1 3' },
  { color: 'var(--k-cx-fg)', dash: '12 3 3 3' },
] as const

export function seriesLook(at: number): (typeof seriesLooks)[number] {
  return seriesLooks[at % seriesLooks.length] ?? seriesLooks[0]
}
