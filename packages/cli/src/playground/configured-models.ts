/** The models that a playground offers: the one that was named, or all that are connected, and the demo. */
import type { PlaygroundModel } from '@toolwright/playground'
import type { ChatModel } from 'toolwright'
import { withTools } from '../chat/with-tools.ts'
import { chooseModel, type WantedModel } from '../models/choose-model.ts'
import type { Environment } from '../models/model-provider.ts'
import { PROVIDERS } from '../models/providers.ts'

export interface ModelsOptions {
  readonly env: Environment
  warn(message: string): void
}

export async function configuredModels(
  wanted: WantedModel,
  options: ModelsOptions,
): Promise<readonly PlaygroundModel[]> {
  const isNamed = wanted.model !== undefined || wanted.baseUrl !== undefined
  const chosen = isNamed ? [await chooseModel(wanted, options.env)] : await connected(options)
  const demo = await chooseModel({ model: 'demo' }, options.env)
  const models = [...chosen, demo].flatMap((model) => (model ? [offered(model, options)] : []))
  // The demo may be the one that was named.
  return models.filter(({ id }, at) => models.findIndex((each) => each.id === id) === at)
}

/** One whose settings are wrong is told about and left out: the others still work. */
async function connected({ env, warn }: ModelsOptions): Promise<readonly ChatModel[]> {
  const found: ChatModel[] = []
  for (const provider of PROVIDERS) {
    try {
      if (await provider.isConnected(env))
        found.push(await provider.make(undefined, env, { tools: true }))
    } catch (error) {
      warn(error instanceof Error ? error.message : String(error))
    }
  }
  return found
}

function offered(model: ChatModel, { warn }: ModelsOptions): PlaygroundModel {
  const isDemo = model.provider === 'demo'
  const id = [...new Set([model.provider, model.model])].join(':')
  const label = isDemo ? 'demo (rules, no language model)' : id
  return { id, label, isDemo, model: withTools(model, warn) }
}
