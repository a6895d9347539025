/** A button. While it is busy it stays where it is, and does nothing. */
import type { ButtonHTMLAttributes } from 'preact'
import { Spinner } from './spinner.tsx'

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly small?: boolean
  readonly busy?: boolean
}

export function Button(props: ButtonProps) {
  const { kind = 'plain', small, busy, children, class: more, onClick, ...rest } = props
  const classes = ['button', `button-${kind}`, small ? 'button-small' : '', String(more ?? '')]
  return (
    <button
      type="button"
      {...rest}
      class={classes.filter(Boolean).join(' ')}
      aria-disabled={busy ? 'true' : rest['aria-disabled']}
      onClick={busy ? undefined : onClick}
    >
      {busy ? <Spinner /> : null}
      {children}
    </button>
  )
}
