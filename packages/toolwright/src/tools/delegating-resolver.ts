/** Combines several resolvers into one. */
import type { ToolCallbackResolver } from './tool-callback-resolver.ts'

/**
 * Asks each resolver in turn; the first that knows the name wins.
 *
 * @example
 * const resolver = delegatingResolver([ownTools, staticResolver(sharedTools)])
 */
export function delegatingResolver(
  resolvers: readonly ToolCallbackResolver[],
): ToolCallbackResolver {
  return {
    async resolve(name) {
      for (const resolver of resolvers) {
        const found = await resolver.resolve(name)
        if (found) return found
      }
      return undefined
    },
    names: () => [...new Set(resolvers.flatMap((resolver) => resolver.names?.() ?? []))],
  }
}
