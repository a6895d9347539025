/** Renders again only when a property is another value. */
import { Component, createElement, type FunctionComponent } from 'preact'

export function memo<Props extends object>(
  inner: (props: Props) => ReturnType<FunctionComponent>,
): new (props: Props) => Component<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const before = this.props as { readonly [key: string]: unknown }
      const after = next as { readonly [key: string]: unknown }
      const keys = Object.keys(after)
      return (
        keys.length !== Object.keys(before).length ||
        keys.some((key) => !Object.is(before[key], after[key]))
      )
    }

    override render() {
      return createElement(inner as FunctionComponent<Props>, this.props)
    }
  }
}
