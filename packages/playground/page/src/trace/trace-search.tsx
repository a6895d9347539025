/** Searches in all that was said. Enter goes to the next that holds it. */
import { useRef } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { useShortcut } from '../shell/use-shortcut.ts'

export interface TraceSearchProps {
  readonly wanted: string
  /** How many rows hold it. Absent: nothing is searched for. */
  readonly found: number | undefined
  readonly onSearch: (wanted: string) => void
  readonly onNext: () => void
}

export function TraceSearch({ wanted, found, onSearch, onNext }: TraceSearchProps) {
  const field = useRef<HTMLInputElement>(null)
  useShortcut('/', () => field.current!.focus())
  return (
    <form
      role="search"
      class="trace-search row"
      onSubmit={(event) => {
        event.preventDefault()
        onNext()
      }}
    >
      <input
        ref={field}
        type="search"
        aria-label="Search in messages, arguments and results"
        placeholder="Search ( / )"
        value={wanted}
        onInput={(event) => onSearch(event.currentTarget.value)}
      />
      <Button small type="submit" disabled={!found}>
        Next
      </Button>
      <output class="quiet">
        {found === undefined ? '' : found === 0 ? 'not found' : `in ${found}`}
      </output>
    </form>
  )
}
