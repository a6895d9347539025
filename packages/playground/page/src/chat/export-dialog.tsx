/** A conversation as files for a test: what was said, and the test that plays it again. */
import { useEffect, useState } from 'preact/hooks'
import type { Export } from '../../../src/protocol/routes.ts'
import { toApiError, type ApiError } from '../api/api-error.ts'
import { api } from '../api/api.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { Icon } from '../parts/icon.tsx'
import { printable } from '../parts/printable.ts'
import { saveFile } from '../parts/save-file.ts'
import { Spinner } from '../parts/spinner.tsx'

export interface ExportDialogProps {
  readonly id: string
  readonly isOpen: boolean
  readonly onClose: () => void
}

export const ExportDialog = ({ id, isOpen, onClose }: ExportDialogProps) => (
  <Dialog open={isOpen} title="Export as a test" onClose={onClose}>
    <ExportedFiles id={id} />
  </Dialog>
)

function ExportedFiles({ id }: { readonly id: string }) {
  const [made, setMade] = useState<Export>()
  const [error, setError] = useState<ApiError>()
  useEffect(() => {
    api
      .post<Export>(`/api/conversations/${encodeURIComponent(id)}/export`)
      .then(setMade, (thrown: unknown) => setError(toApiError(thrown)))
  }, [id])
  if (error) return <ErrorNote error={error} />
  if (!made) return <Spinner label="Making the files" />
  return (
    <div class="stack">
      <ul class="export-files">
        {made.files.map(({ name, text }) => (
          <li key={name} class="row">
            <span>{name.endsWith('.json') ? 'Cassette' : 'Test file'}</span>
            <code class="export-name">{printable(name)}</code>
            <CopyButton text={text} label={`Copy ${printable(name)}`} />
            <Button
              small
              onClick={() => saveFile(name, text)}
              aria-label={`Save ${printable(name)}`}
            >
              <Icon name="save" />
              Save
            </Button>
          </li>
        ))}
      </ul>
      {made.notes.map((note) => (
        <p key={note} class="quiet">
          {printable(note)}
        </p>
      ))}
    </div>
  )
}
