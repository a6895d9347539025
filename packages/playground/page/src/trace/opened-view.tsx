/** A trace or a cassette that was opened: its timeline, the search in it, and what is behind the chosen bar. */
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { OpenedTrace } from '../../../src/protocol/opened-trace.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { printable } from '../parts/printable.ts'
import { useShortcut } from '../shell/use-shortcut.ts'
import { firstRows, ROWS_AT_ONCE } from './first-rows.ts'
import { WantedContext } from './marked.tsx'
import { Problems } from './problems.tsx'
import { RowDetailView } from './row-detail-view.tsx'
import { rowsWith } from './search-text.ts'
import { SectionHead } from './section-head.tsx'
import { TimelineRows } from './timeline-rows.tsx'
import type { BarRow } from './timeline.ts'
import { TraceSearch } from './trace-search.tsx'
import { barRows, traceSections } from './trace-sections.ts'
import { count } from './trace-words.ts'

export interface OpenedViewProps {
  readonly opened: OpenedTrace
  /** What else can be done with it. */
  readonly children?: ComponentChildren
}

export function OpenedView({ opened, children }: OpenedViewProps) {
  const sections = useMemo(() => traceSections(opened), [opened])
  const bars = useMemo(() => barRows(sections), [sections])
  const [wanted, setWanted] = useState('')
  const found = useMemo(() => rowsWith(wanted, bars), [wanted, bars])
  const [selected, select] = useState<string>()
  const row = bars.find(({ id }) => id === selected)
  const rows = useMemo(() => sections.flatMap((section) => section.rows), [sections])
  const [most, setMost] = useState(ROWS_AT_ONCE)
  // A search goes further than what is shown.
  const last = Math.max(most, rows.findIndex(({ id }) => id === selected) + 1)
  const shown = useMemo(() => firstRows(sections, last), [sections, last])
  const close = (): void => {
    const bar = document.querySelector<HTMLElement>('.trace-bar[aria-pressed="true"]')
    select(undefined)
    // On a phone the timeline was hidden until now.
    requestAnimationFrame(() => bar?.focus())
  }
  useShortcut('Escape', close)
  const next = (): void => {
    const hits = bars.filter(({ id }) => found?.has(id))
    const now = hits.findIndex(({ id }) => id === selected)
    select(hits[(now + 1) % hits.length]?.id ?? selected)
  }
  const isEmpty = bars.length === 0
  return (
    <WantedContext.Provider value={wanted}>
      <div class={`view trace ${row ? 'has-detail' : ''}`}>
        <section class="trace-main scroll" aria-label="Timeline" tabIndex={0}>
          <header class="trace-head">
            <h2 class="trace-name">{printable(opened.name)}</h2>
            {children}
            <TraceSearch wanted={wanted} found={found?.size} onSearch={setWanted} onNext={next} />
          </header>
          {opened.kind === 'trace' && <Problems problems={opened.trace.problems} />}
          {isEmpty && (
            <EmptyState title="Nothing has happened in it yet">
              Ask something in the chat, and open its trace again.
            </EmptyState>
          )}
          {shown.map((section) => (
            <section key={section.id} class="trace-section">
              <SectionHead section={section} />
              <TimelineRows
                label={section.title}
                rows={section.rows}
                selected={selected}
                found={found}
                onSelect={select}
              />
            </section>
          ))}
          {last < rows.length && (
            <p class="row">
              <Button small onClick={() => setMost(last + ROWS_AT_ONCE)}>
                Show more
              </Button>
              <span class="quiet">{`${count(last)} of ${count(rows.length)} rows are shown`}</span>
            </p>
          )}
          {!isEmpty && opened.kind === 'trace' && <Legend />}
        </section>
        {row && <Detail key={row.id} row={row} wanted={wanted} onClose={close} />}
      </div>
    </WantedContext.Provider>
  )
}

interface DetailProps {
  readonly row: BarRow
  readonly wanted: string
  readonly onClose: () => void
}

function Detail({ row, wanted, onClose }: DetailProps) {
  const pane = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a phone it stands in the place of the timeline, which had the focus.
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) pane.current!.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  useEffect(() => {
    if (wanted !== '') pane.current!.querySelector('mark')?.scrollIntoView({ block: 'center' })
  }, [wanted])
  return (
    <section
      ref={pane}
      class="trace-detail scroll"
      aria-label={`About ${printable(row.label)}`}
      tabIndex={0}
    >
      <header class="trace-detail-head">
        <h2>{printable(row.label)}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      <RowDetailView shows={row.shows} />
    </section>
  )
}

const KINDS = [
  ['model', 'model'],
  ['first', 'before its first word'],
  ['call', 'tool'],
  ['wait', 'waiting'],
  ['bad', 'failed'],
] as const

const Legend = () => (
  <p class="trace-legend quiet" aria-hidden="true">
    {KINDS.map(([kind, name]) => (
      <span key={kind} class="row">
        <svg class="swatch">
          <rect class={`bar-${kind}`} width="100%" height="100%" />
        </svg>
        {name}
      </span>
    ))}
  </p>
)
