/** What axe-core has against a page as it is shown now, with the first places. */
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

export async function axeViolations(page: Page): Promise<readonly unknown[]> {
  // A strict policy of the page lets no script in that it did not bring; the debugger may.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>('axe.run(document)')
  return violations.map(({ id, help, nodes }) => ({
    id,
    help,
    nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
  }))
}
