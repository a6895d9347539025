/** The tools: what is there, what they cost, and what they do when they are called. */
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { Spinner } from '../parts/spinner.tsx'
import { SplitView } from '../parts/split-view.tsx'
import { go } from '../shell/router.ts'
import { useSession } from '../shell/session.ts'
import { ToolDetail } from './tool-detail.tsx'
import { loadTools, type ToolListState, useToolList } from './tool-list-store.ts'
import { ToolListPane } from './tool-list-pane.tsx'
import { ToolsBanner } from './tools-banner.tsx'

export function ToolsView({ name }: { readonly name?: string }) {
  const state = useToolList()
  const { list, error } = state
  if (!list) {
    return error ? (
      <div class="view tools-alone">
        <ErrorNote error={error} onRetry={() => void loadTools()} />
      </div>
    ) : (
      <div class="view tools-alone">
        <Spinner label="Loading the tools" />
      </div>
    )
  }
  return (
    <>
      <ToolsBanner list={list} error={error} />
      <ReloadNotice state={state} />
      <SplitView
        list={<ToolListPane list={list} selected={name} />}
        detail={<Chosen state={state} name={name} />}
        showDetail={name !== undefined}
        onBack={() => go({ view: 'tools' })}
        backLabel="All tools"
        listLabel="Tools"
        detailLabel="Tool"
      />
    </>
  )
}

function Chosen({ state, name }: { readonly state: ToolListState; readonly name?: string }) {
  const { tools } = state.list!
  const tool = tools.find((each) => each.name === name)
  if (tool) return <ToolDetail key={tool.name} tool={tool} />
  if (name !== undefined) {
    return (
      <EmptyState
        title={`There is no tool "${name}"`}
        action={<Button onClick={() => go({ view: 'tools' })}>All tools</Button>}
      >
        It may have been renamed, or its file could not be loaded.
      </EmptyState>
    )
  }
  return (
    <EmptyState title={tools.length === 0 ? 'There are no tools yet' : 'Choose a tool'}>
      {tools.length === 0 ? (
        <NoTools />
      ) : (
        <p>
          See what a model is told of it, and call it by hand. <kbd>/</kbd> searches, <kbd>?</kbd>{' '}
          shows all keys.
        </p>
      )}
    </EmptyState>
  )
}

/** A file that is watched fills itself in; without one the playground must be started again. */
function NoTools() {
  const hasSources = (useSession()?.sources.length ?? 1) > 0
  if (hasSources)
    return (
      <p>
        Export tools from the file that you started the playground with and save it: they appear
        here.
      </p>
    )
  return (
    <p>
      Start the playground again with a file that exports tools, as in{' '}
      <code>toolwright playground tools.ts</code>, or with an MCP server:{' '}
      <code>--mcp &apos;…&apos;</code>.
    </p>
  )
}

const NOTICE_MS = 6000

/** It lies over the view, so that nothing moves. */
function ReloadNotice({ state: { changes } }: { readonly state: ToolListState }) {
  const [seen, setSeen] = useState(changes)
  useEffect(() => {
    if (changes === seen) return
    const timer = setTimeout(() => setSeen(changes), NOTICE_MS)
    return () => clearTimeout(timer)
  }, [changes, seen])
  return (
    <div class="toast-place" role="status">
      {changes === seen ? null : <span class="toast">Tools were loaded again</span>}
    </div>
  )
}
