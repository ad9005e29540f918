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
