/** What is wrong with the tools as a whole. It stays until it is mended. */
import type { ToolList } from '../../../src/protocol/shown-tool.ts'
import type { ApiError } from '../api/api-error.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { printable } from '../parts/printable.ts'
import { loadTools } from './tool-list-store.ts'

export interface ToolsBannerProps {
  readonly list: ToolList
  readonly error: ApiError | undefined
}

export function ToolsBanner({ list: { problem }, error }: ToolsBannerProps) {
  if (!problem && !error) return null
  return (
    <div class="tools-banner stack">
      {problem ? (
        <div class="note note-danger" role="alert">
          <p>
            <strong>The newest version could not be loaded.</strong> These are the tools from
            before.
          </p>
          <pre class="problem" tabIndex={0} aria-label="The problem">
            {printable(problem)}
          </pre>
        </div>
      ) : null}
      {error ? <ErrorNote error={error} onRetry={() => void loadTools()} /> : null}
    </div>
  )
}
