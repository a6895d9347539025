/** A resolver over tools that are there already. */
import { ConfigurationError } from '../errors/errors.ts'
import { isToolCallback } from './tool-callback.ts'
import type { ToolCallbackResolver } from './tool-callback-resolver.ts'
import { flattened, refuseDuplicates, type ToolSource } from './tool-source.ts'

/**
 * Finds these tools by their names. Two of one name are an error; a provider has to be asked first.
 *
 * @example
 * const client = ChatClient.create(model, { resolver: staticResolver([weather, forecast]) })
 * await client.prompt('Is it cold?').toolNames('weather').call().content()
 */
export function staticResolver(tools: ToolSource): ToolCallbackResolver {
  const callbacks = flattened([tools]).map((source) => {
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
