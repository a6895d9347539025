/** Names and values; those without a value are left out. */
import { printable } from '../parts/printable.ts'

export const Facts = ({ facts }: { readonly facts: readonly (readonly [string, string])[] }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== '')
      .map(([name, value]) => (
        <div key={name}>
          <dt class="quiet">{name}</dt>
          <dd>{printable(value)}</dd>
        </div>
      ))}
  </dl>
)
