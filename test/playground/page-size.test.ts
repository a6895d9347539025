/** How much a browser loads before the page is there. A size is the same on every machine, so it is held here. */
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { served } from './served.ts'

const MOST_BYTES = 100_000

it('is under 100 kB, gzipped, with everything that the page names', async () => {
  const page = await served()
  const textOf = async (path: string): Promise<string> => {
    const reply = await page.raw({ path })
    expect([path, reply.status]).toEqual([path, 200])
    return reply.text
  }
  const html = await textOf(`/${new URL(page.playground.url).search}`)
  const named = [...html.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path!)
  expect(named.toSorted()).toEqual(['/page.css', '/page.js'])
  const texts = [html, ...(await Promise.all(named.map(textOf)))]
  const bytes = texts.reduce((sum, text) => sum + gzipSync(text).length, 0)
  expect(bytes).toBeLessThan(MOST_BYTES)
})
