/** What a conversation is about, and what else can be done with it. */
import { useState } from 'preact/hooks'
import type { ConversationRow } from '../../../src/protocol/conversation.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { printable } from '../parts/printable.ts'
import { hrefOf } from '../shell/router.ts'
import { useSession } from '../shell/session.ts'
import { ExportDialog } from './export-dialog.tsx'
import { StatusBadge } from './status-badge.tsx'

export function ThreadHead({ row }: { readonly row: ConversationRow }) {
  const canExport = useSession()?.canExport ?? false
  const [isExporting, setExporting] = useState(false)
  return (
    <header class="thread-head row">
      <h2 class="thread-title" title={printable(row.title)}>
        {printable(row.title)}
      </h2>
      <StatusBadge status={row.status} />
      <a class="button button-quiet button-small" href={hrefOf({ view: 'trace', id: row.id })}>
        <Icon name="trace" />
        Open trace
      </a>
      {canExport && (
        <Button small kind="quiet" onClick={() => setExporting(true)}>
          <Icon name="save" />
          Export
        </Button>
      )}
      {canExport && (
        <Dialogued id={row.id} isOpen={isExporting} onClose={() => setExporting(false)} />
      )}
    </header>
  )
}

interface DialoguedProps {
  readonly id: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Made anew each time it is opened: the conversation may have gone on. */
const Dialogued = ({ id, isOpen, onClose }: DialoguedProps) => (
  <ExportDialog key={String(isOpen)} id={id} isOpen={isOpen} onClose={onClose} />
)
