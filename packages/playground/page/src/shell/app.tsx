/** The frame of the page: where one can go, how the server is, and the view that is open. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { ChatView } from '../chat/chat-view.tsx'
import { InboxView } from '../inbox/inbox-view.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { ToolsView } from '../tools/tools-view.tsx'
import { TraceView } from '../trace/trace-view.tsx'
import { Header } from './header.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { useNews } from './news.ts'
import { type Route, useRoute } from './router.ts'
import { loadSession, useSessionError } from './session.ts'
import { useShortcut } from './use-shortcut.ts'

const TITLES = { tools: 'Tools', chat: 'Chat', trace: 'Trace', inbox: 'Inbox' } as const

export function App() {
  const route = useRoute()
  const { waiting } = useNews()
  const error = useSessionError()
  const main = useRef<HTMLElement>(null)
  const [showsKeys, setShowsKeys] = useState(false)
  useShortcut('?', () => setShowsKeys(true))
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${TITLES[route.view]} – toolwright`
  }, [route.view, waiting])
  return (
    <div class="app">
      <button type="button" class="skip-link" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Header view={route.view} onKeys={() => setShowsKeys(true)} />
      <main class="main" ref={main} tabIndex={-1}>
        <h1 class="visually-hidden">{TITLES[route.view]}</h1>
        {error ? (
          <ErrorNote
            error={error}
            onRetry={error.status === 401 ? undefined : () => void loadSession()}
          />
        ) : null}
        <View route={route} />
      </main>
      <KeysDialog open={showsKeys} onClose={() => setShowsKeys(false)} />
    </div>
  )
}

function View({ route }: { readonly route: Route }) {
  switch (route.view) {
    case 'tools':
      return <ToolsView name={route.name} />
    case 'chat':
      return <ChatView id={route.id} />
    case 'trace':
      return <TraceView id={route.id} />
    case 'inbox':
      return <InboxView />
  }
}
