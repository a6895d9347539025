/** Where things are on the page of the playground, as a person finds them. */
import type { Locator, Page } from 'playwright-core'

export const button = (page: Page | Locator, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: true })

export const thread = (page: Page): Locator => page.getByRole('log', { name: 'Conversation' })

/** The cards of calls that wait. */
export const waits = (page: Page | Locator, tool: string): Locator =>
  page.getByRole('group', { name: `${tool} waits for a decision` })

export async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Your question' }).fill(text)
  await page.keyboard.press('Enter')
}
