/** A short mark beside a name. */
import type { ComponentChildren } from 'preact'

export interface BadgeProps {
  readonly tone?: 'neutral' | 'accent' | 'ok' | 'warn' | 'danger'
  readonly title?: string
  readonly children: ComponentChildren
}

export function Badge({ tone = 'neutral', title, children }: BadgeProps) {
  return (
    <span class={`badge badge-${tone}`} title={title}>
      {children}
    </span>
  )
}
