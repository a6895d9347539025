/**
 * A trace as one page that needs no server and loads nothing. What models and tools returned is text in it: a
 * policy in the page forbids every script and style but its own, and every connection.
 */
import { createHash } from 'node:crypto'
import type { Prices, Trace } from 'toolwright/trace'
import { html, ownMarkup, type Html } from './html.ts'
import { PAGE_SCRIPT } from './page-script.ts'
import { PAGE_STYLE } from './page-style.ts'
import { callsView, runView, type PageContext } from './run-view.ts'
import { SeenMessages } from './seen-messages.ts'

export interface PageOptions {
  readonly title: string
  readonly prices?: Prices | undefined
}

export function tracePage(trace: Trace, { title, prices }: PageOptions): string {
  const context: PageContext = { prices, seen: new SeenMessages() }
  const { runs, calls, content, problems } = trace
  const recorded = content
    ? 'with what was said, without what looks like a secret'
    : 'without content: names, times and counts only'
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy()}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – toolwright trace</title>
        ${ownMarkup(`<style>${PAGE_STYLE}</style>`)}
      </head>
      <body>
        <header class="top">
          <div>
            <h1>${title}</h1>
            <div class="facts">
              <span>${runs.length} ${runs.length === 1 ? 'run' : 'runs'}</span>
              <span>recorded ${recorded}</span>
            </div>
            ${legend()} ${searchForm()}
          </div>
        </header>
        <main>
          ${problems.map(({ line, what }) => html`<p class="note waits">Line ${line}: ${what}</p>`)}
          ${runs.length === 0 && calls.length === 0 && html`<p>Nothing has happened in it yet.</p>`}
          ${runs.map((run) => runView(run, context))}
          ${calls.length > 0 && callsView(calls, context)}
        </main>
        ${ownMarkup(`<script>${PAGE_SCRIPT}</script>`)}
      </body>
    </html>`
  return `${page.toString()}\n`
}

const LEGEND = [
  ['of-model', 'model'],
  ['of-call', 'tool'],
  ['of-wait', 'waiting'],
  ['bad', 'failed'],
] as const

const legend = (): Html =>
  html`<div class="facts legend" aria-hidden="true">
    ${LEGEND.map(
      ([kind, name]) =>
        html`<span
          ><svg class="swatch"><rect class="${kind}" width="100%" height="100%" /></svg>
          ${name}</span
        >`,
    )}
  </div>`

const searchForm = (): Html =>
  html`<div class="find" role="search">
    <input id="find" type="search" aria-label="Search in this trace" placeholder="Search ( / )" />
    <button id="next" type="button">Next</button>
    <button id="all" type="button">Open all</button>
    <output id="found" for="find"></output>
  </div>`

/** Only what stands here may be run or applied, by its hash. */
function policy(): string {
  const style = hashOf(PAGE_STYLE)
  const script = hashOf(PAGE_SCRIPT)
  return `default-src 'none'; style-src ${style}; script-src ${script}; base-uri 'none'; form-action 'none'`
}

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`
