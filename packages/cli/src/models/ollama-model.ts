/** Models of an Ollama server, over its own API. The server says what is installed. */
import type { ChatModel } from 'toolwright'
import { installedModels } from './installed-models.ts'
import { ollamaAddress } from './ollama-address.ts'
import type { Environment } from './model-provider.ts'
import { pickModel } from './pick-model.ts'

/** A local server answers sooner, and nobody should wait longer for one that is not there. */
const PROBE_MS = 1000
const PATIENCE_MS = 5000

/** Whether a server answers and has a model. */
export async function hasOllama(env: Environment): Promise<boolean> {
  const installed = await installedModels(ollamaAddress(env['OLLAMA_HOST']), PROBE_MS)
  return installed !== undefined && installed.length > 0
}

/** Without a name: the first that is installed and chats. */
export async function ollamaModel(name: string | undefined, env: Environment): Promise<ChatModel> {
  const address = ollamaAddress(env['OLLAMA_HOST'])
  const models = await installedModels(address, PATIENCE_MS)
  // A name without a tag means the latest.
  const tagged = models?.includes(`${name}:latest`) ? `${name}:latest` : name
  const server = {
    address: `Ollama at ${address}`,
    models,
    whenSilent: 'Start it (ollama serve), or say in OLLAMA_HOST where it listens.',
    whenEmpty: 'Get one: ollama pull qwen3.',
    whenMissing: (missing: string) => `Get it: ollama pull ${missing}.`,
  }
  const model = pickModel(server, tagged)
  const { ollama } = await import('toolwright/ollama')
  return ollama(model, { baseUrl: address })
}
