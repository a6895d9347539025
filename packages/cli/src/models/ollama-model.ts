/** Models of an Ollama server, over its own API. The server says what is installed. */
import type { ChatModel } from 'toolwright'
import { installedModels } from './installed-models.ts'
import { ollamaAddress } from './ollama-address.ts'
import type { Environment, ModelUse } from './model-provider.ts'
import { pickModel } from './pick-model.ts'

/** A local server answers sooner than this. The command waits no longer for one that does not run. */
const PROBE_MS = 1000
const PATIENCE_MS = 5000

/** Whether a server answers and has a model. */
export async function hasOllama(env: Environment): Promise<boolean> {
  const { models } = await installedModels(ollamaAddress(env['OLLAMA_HOST']), PROBE_MS)
  return models !== undefined && models.length > 0
}

/** Without a name: the first that is installed and chats, for tools the first that has some. */
export async function ollamaModel(
  name: string | undefined,
  env: Environment,
  use: ModelUse,
): Promise<ChatModel> {
  const address = ollamaAddress(env['OLLAMA_HOST'])
  const listing = await installedModels(address, PATIENCE_MS)
  const { models } = listing
  const { ollama } = await import('toolwright/ollama')
  const make = (model: string): ChatModel => ollama(model, { baseUrl: address })
  // A name without a tag means the latest.
  const tagged = models?.includes(`${name}:latest`) ? `${name}:latest` : name
  const server = {
    address: `Ollama at ${address}`,
    ...listing,
    whenSilent: 'Start it (ollama serve), or say in OLLAMA_HOST where it listens.',
    whenUnlisted: 'Say in OLLAMA_HOST where Ollama listens.',
    whenEmpty: 'Get one: ollama pull qwen3.',
    whenMissing: (missing: string) => `Get it: ollama pull ${missing}.`,
    isPreferred: (model: string) => use.tools && make(model).capabilities.tools !== false,
  }
  return make(pickModel(server, tagged))
}
