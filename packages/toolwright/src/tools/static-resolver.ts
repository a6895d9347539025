/** A resolver for tools that already exist. */
import { ConfigurationError } from '../errors/errors.ts'
import { isToolCallback } from './tool-callback.ts'
import type { ToolCallbackResolver } from './tool-callback-resolver.ts'
import { flattenSources, refuseDuplicates, type ToolSource } from './tool-source.ts'

/**
 * Finds these tools by name. Two tools with one name are an error; so is a provider, which has to be asked
 * first.
 *
 * @example
 * const client = ChatClient.create(model, { resolver: staticResolver([weather, forecast]) })
 * await client.prompt('Is it cold?').toolNames('weather').call().content()
 */
export function staticResolver(tools: ToolSource): ToolCallbackResolver {
  const callbacks = flattenSources([tools]).map((source) => {
    if (isToolCallback(source)) return source
    throw new ConfigurationError(
      'invalid-tool-source',
      'staticResolver() holds tools, not providers; give it `await provider.toolCallbacks()`.',
    )
  })
  refuseDuplicates(callbacks)
  const byName = new Map(callbacks.map((callback) => [callback.definition.name, callback]))
  return { resolve: (name) => byName.get(name), names: () => [...byName.keys()] }
}
