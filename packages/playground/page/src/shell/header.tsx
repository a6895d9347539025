/** The bar at the top. On a phone the way to the views is at the bottom, where a thumb is. */
import { Badge } from '../parts/badge.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { printable } from '../parts/printable.ts'
import { useNews } from './news.ts'
import { hrefOf, type Route } from './router.ts'
import { useSession } from './session.ts'
import { nextTheme, type Theme, useTheme } from './theme.ts'

export interface HeaderProps {
  readonly view: Route['view']
  readonly onKeys: () => void
}

const PLACES: readonly { readonly view: Route['view']; readonly label: string }[] = [
  { view: 'tools', label: 'Tools' },
  { view: 'chat', label: 'Chat' },
  { view: 'trace', label: 'Trace' },
  { view: 'inbox', label: 'Inbox' },
]
const THEME_ICONS: { readonly [theme in Theme]: IconName } = {
  auto: 'auto',
  light: 'sun',
  dark: 'moon',
}

const CONNECTIONS = {
  connecting: 'Connecting',
  lost: 'Connection lost, trying again',
  refused: 'Not connected',
}

export function Header({ view, onKeys }: HeaderProps) {
  const theme = useTheme()
  return (
    <header class="header">
      <span class="brand">toolwright</span>
      <Places view={view} />
      <div class="header-end">
        <ServerState />
        <IconButton
          icon={THEME_ICONS[theme]}
          label={`Colours: ${theme === 'auto' ? 'as the system' : theme}`}
          onClick={nextTheme}
        />
        <IconButton icon="keys" label="Keys" onClick={onKeys} />
      </div>
    </header>
  )
}

function Places({ view }: { readonly view: Route['view'] }) {
  const { waiting } = useNews()
  return (
    <nav class="places" aria-label="Views">
      {PLACES.map((place) => (
        <a
          key={place.view}
          class="place"
          href={hrefOf({ view: place.view })}
          aria-current={place.view === view ? 'page' : undefined}
        >
          <Icon name={place.view} />
          <span>{place.label}</span>
          {place.view === 'inbox' && waiting > 0 ? (
            <Badge tone="accent">
              {waiting}
              <span class="visually-hidden"> waiting</span>
            </Badge>
          ) : null}
        </a>
      ))}
    </nav>
  )
}

function ServerState() {
  const { connection } = useNews()
  const session = useSession()
  const sources = session?.sources.map(printable).join(', ') ?? ''
  return (
    <>
      <span class="header-facts quiet" title={sources}>
        {session ? `${printable(session.models[0]?.label ?? 'no model')} · ${sources}` : ''}
      </span>
      <span class="connection" role="status" data-state={connection}>
        {connection === 'open' ? (
          <span class="visually-hidden">Connected</span>
        ) : (
          <span>{CONNECTIONS[connection]}</span>
        )}
      </span>
    </>
  )
}
