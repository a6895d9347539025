/** The list of tools with its search. Arrow keys move from the search into the list and in it. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ShownTool, ToolList } from '../../../src/protocol/shown-tool.ts'
import { Badge } from '../parts/badge.tsx'
import { Icon } from '../parts/icon.tsx'
import { memo } from '../parts/memo.ts'
import { movedIndex } from '../parts/moved-index.ts'
import { printable } from '../parts/printable.ts'
import { go, hrefOf } from '../shell/router.ts'
import { useShortcut } from '../shell/use-shortcut.ts'
import { count } from './count.ts'
import { groupBySource, searchTools } from './search-tools.ts'
import { ToolMarksView } from './tool-marks-view.tsx'
import { ToolsNotes } from './tools-notes.tsx'

export interface ToolListPaneProps {
  readonly list: ToolList
  readonly selected: string | undefined
}

export function ToolListPane({ list, selected }: ToolListPaneProps) {
  const [query, setQuery] = useState('')
  const pane = useRef<HTMLDivElement>(null)
  const search = useRef<HTMLInputElement>(null)
  const groups = useMemo(() => groupBySource(searchTools(list.tools, query)), [list.tools, query])
  const found = useMemo(() => groups.flatMap(({ tools }) => tools), [groups])
  // One stop for the tab key: the rest is reached by arrows.
  const stop = found.some(({ name }) => name === selected) ? selected : found[0]?.name
  useShortcut('/', () => search.current?.select())
  useEffect(() => {
    pane.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])

  const move = (event: KeyboardEvent) => {
    const links = [...pane.current!.querySelectorAll<HTMLAnchorElement>('a.tool-row')]
    const at = links.indexOf(event.target as HTMLAnchorElement)
    const isSearch = event.target === search.current
    if (isSearch && event.key !== 'ArrowDown') return
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') return
    const next = movedIndex(event.key, at, links.length)
    if (next === undefined) return
    event.preventDefault()
    if (at === 0 && event.key === 'ArrowUp') search.current?.focus()
    else links[next]!.focus()
  }
  const inSearch = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setQuery('')
    if (event.key === 'Enter' && found[0]) go({ view: 'tools', name: found[0].name })
  }
  return (
    <div class="tool-pane" ref={pane} onKeyDown={move}>
      <div class="tool-search" role="search">
        <Icon name="search" />
        <input
          ref={search}
          type="search"
          aria-label="Search the tools"
          placeholder="Search the tools ( / )"
          autoComplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={inSearch}
        />
      </div>
      <p class="tool-summary quiet" role="status">
        {query.trim() === ''
          ? `${count(list.tools.length, 'tool')}, about ${list.tokens.toLocaleString('en')} tokens`
          : `${found.length} of ${count(list.tools.length, 'tool')}`}
      </p>
      <div class="scroll tool-scroll">
        {query.trim() === '' ? <ToolsNotes list={list} /> : null}
        {groups.map(({ source, tools }) => (
          <section key={source} class="tool-group" aria-label={source}>
            <h2 class="tool-source quiet">
              <span>{printable(source)}</span>
              <span>{tools.length}</span>
            </h2>
            <ul>
              {tools.map((tool) => (
                <ToolRow
                  key={tool.name}
                  tool={tool}
                  isSelected={tool.name === selected}
                  isStop={tool.name === stop}
                />
              ))}
            </ul>
          </section>
        ))}
        {found.length === 0 && list.tools.length > 0 ? (
          <p class="tool-none quiet">No tool has these words. Esc empties the search.</p>
        ) : null}
      </div>
    </div>
  )
}

interface ToolRowProps {
  readonly tool: ShownTool
  readonly isSelected: boolean
  readonly isStop: boolean
}

const ToolRow = memo(function ToolRow({ tool, isSelected, isStop }: ToolRowProps) {
  return (
    <li>
      <a
        class="tool-row"
        href={hrefOf({ view: 'tools', name: tool.name })}
        aria-current={isSelected ? 'true' : undefined}
        tabIndex={isStop ? 0 : -1}
      >
        <span class="tool-name mono">{printable(tool.name)}</span>
        <span class="tool-about quiet">{printable(tool.title ?? tool.description)}</span>
        <span class="tool-badges">
          <ToolMarksView tool={tool} />
          <Badge title="About how many tokens its definition takes">{`${tool.tokens} tokens`}</Badge>
        </span>
      </a>
    </li>
  )
})
