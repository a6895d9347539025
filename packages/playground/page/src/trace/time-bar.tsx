/** A row's stretches of time, drawn. What it shows is said in words beside it. */
import type { Bar } from './timeline.ts'

export const TimeBar = ({ bars }: { readonly bars: readonly Bar[] }) => (
  <svg class="time-bar" aria-hidden="true">
    {bars.map(({ kind, x, width }, index) => (
      <rect key={index} class={`bar-${kind}`} x={percent(x)} width={percent(width)} height="100%" />
    ))}
  </svg>
)

const percent = (part: number): string => `${Number((part * 100).toFixed(3))}%`
