/** A dialog of the browser's own, which keeps the focus inside and gives it back. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { IconButton } from './icon-button.tsx'

export interface DialogProps {
  readonly open: boolean
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function Dialog({ open, title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const opener = useRef<Element | null>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = element.current!
    if (!open) return
    opener.current = document.activeElement
    dialog.showModal()
    return () => {
      dialog.close()
      if (opener.current instanceof HTMLElement) opener.current.focus()
    }
  }, [open])
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={titleId}
      onCancel={onClose}
      onClick={(event) => event.target === element.current && onClose()}
    >
      {open ? (
        <div class="dialog-body">
          <div class="dialog-head">
            <h2 id={titleId}>{title}</h2>
            <IconButton icon="close" label="Close" onClick={onClose} />
          </div>
          {children}
        </div>
      ) : null}
    </dialog>
  )
}
