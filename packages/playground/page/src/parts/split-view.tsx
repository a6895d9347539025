/** A list and what was chosen of it, side by side; on a phone one at a time. */
import type { ComponentChildren } from 'preact'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

export interface SplitViewProps {
  readonly list: ComponentChildren
  readonly detail: ComponentChildren
  /** Which of the two a phone shows. */
  readonly showDetail: boolean
  readonly onBack: () => void
  readonly backLabel: string
  readonly listLabel: string
  readonly detailLabel: string
}

export function SplitView(props: SplitViewProps) {
  const { list, detail, showDetail, onBack, backLabel, listLabel, detailLabel } = props
  return (
    <div class={`view split ${showDetail ? 'split-detail' : 'split-list'}`}>
      <section class="split-pane-list" aria-label={listLabel}>
        {list}
      </section>
      <section class="split-pane-detail" aria-label={detailLabel}>
        <Button kind="quiet" class="split-back" onClick={onBack}>
          <Icon name="back" />
          {backLabel}
        </Button>
        {detail}
      </section>
    </div>
  )
}
