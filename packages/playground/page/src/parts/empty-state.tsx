/** What stands where nothing is yet: why, and what to do first. */
import type { ComponentChildren } from 'preact'

export interface EmptyStateProps {
  readonly title: string
  readonly action?: ComponentChildren
  readonly children?: ComponentChildren
}

export function EmptyState({ title, action, children }: EmptyStateProps) {
  return (
    <div class="empty-state">
      <p class="empty-title">{title}</p>
      {children ? <div class="quiet">{children}</div> : null}
      {action}
    </div>
  )
}
