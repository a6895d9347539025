/** A bar in a timeline: where something lies in the time of its leg. */
import type { TraceTimes } from 'toolwright/trace'
import { html, type Html } from './html.ts'

/** The time that a whole row stands for. */
export interface TimeScale {
  readonly from: number
  readonly to: number
}

/** What has no end reaches to the end of the scale. */
export function timeBar(scale: TimeScale, spans: readonly (TraceTimes & { kind: string })[]): Html {
  const rects = spans.map(({ startedAt, endedAt = scale.to, kind }) => {
    const x = share(scale, startedAt)
    const width = Math.max(0, share(scale, endedAt) - x)
    return html`<rect
      class="${kind}"
      x="${percent(x)}"
      width="${percent(width)}"
      height="100%"
    ></rect>`
  })
  return html`<svg class="bar" aria-hidden="true">${rects}</svg>`
}

function share({ from, to }: TimeScale, at: number): number {
  const length = Math.max(to - from, Number.MIN_VALUE)
  return Math.min(1, Math.max(0, (at - from) / length))
}

const percent = (part: number): string => `${Number((part * 100).toFixed(3))}%`
