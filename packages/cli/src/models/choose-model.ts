/** Finds the model from `--model`, or from the environment. Nothing is taken that the user did not choose. */
import type { ChatModel } from 'toolwright'
import { CommandError } from '../command/command-error.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import { isAddress, modelAt, modelOfServer } from './compatible-model.ts'
import type { Environment, ModelProvider, ModelUse } from './model-provider.ts'
import { PROVIDERS } from './providers.ts'

export interface WantedModel {
  /** The value of `--model`. */
  readonly model?: string | undefined
  /** The value of `--base-url`: a server, and `model` is a name that it knows. */
  readonly baseUrl?: string | undefined
  /** The files of tools that are offered. */
  readonly tools?: readonly string[]
}

/** Returns undefined if none is named and none is connected. */
export async function chooseModel(
  { model: wanted, baseUrl, tools = [] }: WantedModel,
  env: Environment,
): Promise<ChatModel | undefined> {
  if (baseUrl !== undefined) return modelOfServer(baseUrl, wanted || undefined)
  const use: ModelUse = { tools: tools.length > 0 }
  if (wanted === undefined) return (await connectedProvider(env))?.make(undefined, env, use)
  if (isAddress(wanted)) return modelAt(wanted)
  // Splits at the first colon only: names of models may contain colons.
  const [, name = '', model] = /^([^:]*)(?::(.*))?$/s.exec(wanted)!
  return providerNamed(name, wanted).make(model || undefined, env, use)
}

async function connectedProvider(env: Environment): Promise<ModelProvider | undefined> {
  for (const provider of PROVIDERS) if (await provider.isConnected(env)) return provider
  return undefined
}

function providerNamed(name: string, wanted: string): ModelProvider {
  const provider = PROVIDERS.find((each) => each.name === name.toLowerCase())
  if (provider) return provider
  const names = PROVIDERS.map((each) => each.name)
  throw new CommandError(
    `--model ${wanted} names no provider there is.${didYouMean(name, names)} Write provider:name with one of ${names.join(', ')}, or the address of a server: --base-url http://127.0.0.1:8000/v1 --model name.`,
  )
}

/** How to connect a model, one line per provider, in the order of preference. */
export function waysToConnect(): string {
  const server = [
    'server',
    '--base-url http://127.0.0.1:8000/v1 --model name, for any that speaks as OpenAI does',
  ]
  const ways = [...PROVIDERS.map(({ name, connect }) => [name, connect]), server]
  const width = Math.max(...ways.map(([name]) => name!.length))
  return ways.map(([name, connect]) => `  ${name!.padEnd(width)}  ${connect}`).join('\n')
}
