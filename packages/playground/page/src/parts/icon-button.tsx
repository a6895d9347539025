/** A button that is only a drawing, with a name. */
import { Button, type ButtonProps } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

export type IconButtonProps = ButtonProps & { readonly icon: IconName; readonly label: string }

export function IconButton({ icon, label, ...rest }: IconButtonProps) {
  return (
    <Button
      kind="quiet"
      {...rest}
      class={`icon-button ${String(rest.class ?? '')}`}
      aria-label={label}
      title={label}
    >
      <Icon name={icon} />
    </Button>
  )
}
