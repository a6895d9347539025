/**
 * Models of any server with the Chat Completions API, by address: `http://127.0.0.1:8000/v1#name`. No key
 * is sent: a server that needs one is used through OPENAI_BASE_URL and OPENAI_API_KEY.
 */
import type { ChatModel } from 'toolwright'
import { CommandError } from '../command/command-error.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import { servedModels } from './served-models.ts'

/** A local server lists its models quickly, or not at all. */
const PATIENCE_MS = 5000

export const isAddress = (wanted: string): boolean => /^https?:\/\//i.test(wanted)

export async function modelAt(address: string): Promise<ChatModel> {
  const [baseUrl = '', encodedName = ''] = address.split('#', 2)
  const name = decoded(encodedName)
  if (!URL.canParse(baseUrl) || name === undefined)
    throw new CommandError(
      `--model ${address} is no address. Write it as http://127.0.0.1:8000/v1#name.`,
    )
  const { username, password } = new URL(baseUrl)
  if (username !== '' || password !== '')
    throw new CommandError(
      '--model takes no user or password in an address. Use --model openai with OPENAI_BASE_URL and OPENAI_API_KEY.',
    )
  const base = baseUrl.replace(/\/+$/, '')
  return compatibleModel({
    baseUrl: base,
    provider: new URL(baseUrl).host,
    name: name || undefined,
    written: (model) => `--model ${base}#${model}`,
  })
}

/** Returns undefined if its percent signs are not valid escapes. */
function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined
  }
}

export interface Wanted {
  readonly baseUrl: string
  readonly provider: string
  /** Missing: the first model of the server. */
  readonly name: string | undefined
  /** How to write a model on the command line, for messages. */
  written(model: string): string
  /** What to do if the server has no models. */
  readonly whenEmpty?: string
}

/** The model with that name. If the server does not have it, that is reported before anything is asked. */
export async function compatibleModel(wanted: Wanted): Promise<ChatModel> {
  const { baseUrl, provider, name } = wanted
  const served = await servedModels(baseUrl, PATIENCE_MS)
  const { openaiCompatible } = await import('toolwright/openai')
  const model = name === undefined ? firstOf(served, wanted) : checkServed(name, served, wanted)
  return openaiCompatible(model, { baseUrl, provider })
}

function firstOf(served: readonly string[] | undefined, wanted: Wanted): string {
  if (served === undefined)
    throw new CommandError(
      `${wanted.baseUrl} does not list its models. Start the server, or name the model: ${wanted.written('name')}.`,
    )
  // Servers list embedding models beside chat models.
  const first = served.find((name) => !/embed/i.test(name))
  if (first !== undefined) return first
  const then = wanted.whenEmpty ?? `Load one, or name it: ${wanted.written('name')}.`
  throw new CommandError(`${wanted.baseUrl} has no model to chat with. ${then}`)
}

function checkServed(name: string, served: readonly string[] | undefined, wanted: Wanted): string {
  if (served === undefined || served.length === 0 || served.includes(name)) return name
  const suggestion = didYouMean(name, served)
  throw new CommandError(
    `${wanted.baseUrl} has no model "${name}".${suggestion} It has: ${served.join(', ')}.`,
  )
}
