/** The rows of a timeline. Arrows and j/k move through the bars, Enter opens one. */
import { useRef } from 'preact/hooks'
import { moveFocus } from '../chat/move-focus.ts'
import { memo } from '../parts/memo.ts'
import { printable } from '../parts/printable.ts'
import { TimeBar } from './time-bar.tsx'
import type { BarRow, TimelineRow } from './timeline.ts'
import { runFacts } from './trace-sections.ts'

export interface TimelineRowsProps {
  readonly label: string
  readonly rows: readonly TimelineRow[]
  readonly selected: string | undefined
  /** Which rows hold what is searched for. Absent: nothing is. */
  readonly found: ReadonlySet<string> | undefined
  readonly onSelect: (id: string) => void
}

export const TimelineRows = memo(function TimelineRows(props: TimelineRowsProps) {
  const { label, rows, selected, found, onSelect } = props
  const list = useRef<HTMLUListElement>(null)
  const bars = rows.filter(({ type }) => type === 'bar')
  // One stop of the tab key for all of them.
  const stop = bars.find(({ id }) => id === selected) ?? bars[0]
  return (
    <ul
      ref={list}
      class="timeline"
      aria-label={label}
      onKeyDown={(event) => moveFocus(event, list.current!, '.trace-bar')}
    >
      {rows.map((row) => (
        <li key={row.id}>
          {row.type === 'bar' ? (
            <BarView
              row={row}
              isSelected={row.id === selected}
              isStop={row === stop}
              isQuiet={found !== undefined && !found.has(row.id)}
              onSelect={onSelect}
            />
          ) : (
            <OtherRow row={row} />
          )}
        </li>
      ))}
    </ul>
  )
})

interface BarViewProps {
  readonly row: BarRow
  readonly isSelected: boolean
  readonly isStop: boolean
  readonly isQuiet: boolean
  readonly onSelect: (id: string) => void
}

const BarView = memo(function BarView(props: BarViewProps) {
  const { row, isSelected, isStop, isQuiet, onSelect } = props
  const { id, depth, label, isBad, bars, time, more } = row
  return (
    <button
      type="button"
      class={`trace-bar depth-${Math.min(depth, 6)} ${isBad ? 'is-bad' : ''} ${isQuiet ? 'is-quiet' : ''}`}
      aria-pressed={isSelected}
      tabIndex={isStop ? 0 : -1}
      onClick={() => onSelect(id)}
    >
      <span class="bar-label">{printable(label)}</span>
      <span class="bar-place">
        {bars.length > 0 && <TimeBar bars={bars} />}
        {more !== '' && <span class="bar-more">{printable(more)}</span>}
      </span>
      <span class="bar-time">{time}</span>
    </button>
  )
})

function OtherRow({ row }: { readonly row: Exclude<TimelineRow, BarRow> }) {
  switch (row.type) {
    case 'axis':
      return (
        <div class="trace-axis quiet" aria-hidden="true">
          <span>0</span>
          <span>{row.length}</span>
        </div>
      )
    case 'note':
      return <p class={`trace-note of-${row.kind}`}>{printable(row.text)}</p>
    case 'run':
      return (
        <p class={`trace-note depth-${Math.min(row.depth, 6)}`}>
          {`Inside: ${printable(runFacts(row.run).join(' · '))}`}
        </p>
      )
  }
}
