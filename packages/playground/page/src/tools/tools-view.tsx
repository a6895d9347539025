/** The tools: what is there, what they cost, and what they do when they are called. */
import { EmptyState } from '../parts/empty-state.tsx'

export function ToolsView(_: { readonly name?: string }) {
  return (
    <EmptyState title="No tools yet">
      Name a file with tools when you start the playground.
    </EmptyState>
  )
}
