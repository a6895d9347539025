/** Tabs with arrow keys. What is not selected is not rendered. */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { movedIndex } from './moved-index.ts'

export interface Tab {
  readonly id: string
  readonly label: ComponentChildren
  readonly content: () => ComponentChildren
}

export interface TabsProps {
  /** What the tabs are about, for screen readers. */
  readonly label: string
  readonly tabs: readonly Tab[]
  /** Where somebody else keeps what is selected. */
  readonly selected?: string
  readonly onSelect?: (id: string) => void
}

export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  const prefix = useId()
  const [own, setOwn] = useState<string>()
  const wanted = selected ?? own
  const current = tabs.find(({ id }) => id === wanted) ?? tabs[0]
  if (!current) return null
  const select = (id: string) => {
    setOwn(id)
    onSelect?.(id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedIndex(event.key, tabs.indexOf(current), tabs.length)
    if (next === undefined) return
    event.preventDefault()
    select(tabs[next]!.id)
    document.getElementById(`${prefix}-${tabs[next]!.id}`)?.focus()
  }
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ id, label: name }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${prefix}-${id}`}
            class="tab"
            aria-selected={id === current.id}
            aria-controls={id === current.id ? `${prefix}-panel` : undefined}
            tabIndex={id === current.id ? 0 : -1}
            onClick={() => select(id)}
          >
            {name}
          </button>
        ))}
      </div>
      <div
        class="tab-panel"
        role="tabpanel"
        id={`${prefix}-panel`}
        aria-labelledby={`${prefix}-${current.id}`}
      >
        {current.content()}
      </div>
    </div>
  )
}
