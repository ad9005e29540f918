import axe from 'axe-core'
import type { Page } from 'playwright'

declare global {
  interface Window {
    readonly axe?: typeof axe
  }
}

/** Each rule of axe that the page breaks, with the first elements that do. `rules`: these alone; all by default. */
export async function axeFindings(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // Half a megabyte: once for a page.
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(axe.source)
  await settled(page)
  return page.evaluate(async (only) => {
    if (window.axe === undefined) throw new Error('the page was loaded anew while axe looked at it')
    const options = { resultTypes: ['violations' as const], ...(only && { runOnly: [...only] }) }
    const { violations } = await window.axe.run(document, options)
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ html }) => html)
          .slice(0, 3)
          .join(' ')}`,
    )
  }, rules)
}

/** Until nothing fades or moves: a text at half its opacity has not the contrast that a person reads it with. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    const ends = (animation: Animation) => Number.isFinite(animation.effect?.getComputedTiming().endTime)
    // What a dialog starts from stands for a frame before its transition runs.
    await frame()
    await frame()
    for (;;) {
      const moving = document
        .getAnimations()
        .filter((animation) => animation.playState === 'running' && ends(animation))
      if (moving.length === 0) return
      await Promise.allSettled(moving.map(({ finished }) => finished))
    }
  })
}
