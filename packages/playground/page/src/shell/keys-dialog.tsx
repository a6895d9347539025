/** The keys of the page. */
import { Dialog } from '../parts/dialog.tsx'

export interface KeysDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['?', 'Show the keys'],
  ['/', 'Search the tools, or a trace'],
  ['↑ ↓ Home End', 'Move in a list'],
  ['j k', 'Move in the conversations, the inbox or a trace, as ↓ and ↑ do'],
  ['Enter in a list', 'Open what is selected'],
  ['Ctrl Enter or ⌘ Enter', 'Call the tool, or send what was filled in'],
  ['Enter in a chat', 'Send the message; with Shift it begins a line'],
  ['← →', 'Move between tabs'],
  ['Space or Enter', 'Open or close a part of a JSON tree'],
  ['Esc', 'Stop the turn that runs, close a dialog, or empty the search'],
]

export function KeysDialog({ open, onClose }: KeysDialogProps) {
  return (
    <Dialog open={open} title="Keys" onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
