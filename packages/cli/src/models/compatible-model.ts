/**
 * Models of any server with the Chat Completions API, by its address: `--base-url http://127.0.0.1:8000/v1
 * --model name`, or in one word `--model http://127.0.0.1:8000/v1#name`. No key is sent: a server that needs one
 * is used through OPENAI_BASE_URL and OPENAI_API_KEY.
 */
import type { ChatModel } from 'toolwright'
import { CommandError } from '../command/command-error.ts'
import { pickModel } from './pick-model.ts'
import { servedModels } from './served-models.ts'

/** A local server lists its models quickly, or not at all. */
const PATIENCE_MS = 5000

export const isAddress = (wanted: string): boolean => /^https?:\/\//i.test(wanted)

/** `--model http://127.0.0.1:8000/v1#name` */
export async function modelAt(address: string): Promise<ChatModel> {
  const [baseUrl = '', encodedName = ''] = address.split('#', 2)
  const name = decoded(encodedName)
  if (!URL.canParse(baseUrl) || name === undefined)
    // Not quoted: an address that cannot be read may have a password in it.
    throw new CommandError(
      '--model is not the address of a server. Write --model http://127.0.0.1:8000/v1#name.',
    )
  return compatibleModel({
    baseUrl: checkedAddress(baseUrl, '--model'),
    name: name || undefined,
    written: (base) => `--model ${base}#name`,
  })
}

/** `--base-url http://127.0.0.1:8000/v1`, and the name of the model as the server has it. */
export async function modelOfServer(baseUrl: string, name: string | undefined): Promise<ChatModel> {
  // Not quoted here either.
  if (!isAddress(baseUrl) || !URL.canParse(baseUrl) || baseUrl.includes('#'))
    throw new CommandError(
      '--base-url is not the address of a server. Write --base-url http://127.0.0.1:8000/v1 --model name.',
    )
  if (name !== undefined && isAddress(name))
    throw new CommandError(
      '--base-url and --model are two addresses. Give --model the name of the model only.',
    )
  return compatibleModel({
    baseUrl: checkedAddress(baseUrl, '--base-url'),
    name,
    written: () => '--model name',
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

function checkedAddress(baseUrl: string, option: string): string {
  const { username, password } = new URL(baseUrl)
  if (username === '' && password === '') return baseUrl.replace(/\/+$/, '')
  throw new CommandError(
    `${option} takes no user or password in an address. Use --model openai with OPENAI_BASE_URL and OPENAI_API_KEY.`,
  )
}

interface Wanted {
  readonly baseUrl: string
  /** Missing: the first model of the server. */
  readonly name: string | undefined
  /** How to name a model on the command line, for messages. */
  written(baseUrl: string): string
}

async function compatibleModel({ baseUrl, name, written }: Wanted): Promise<ChatModel> {
  const way = written(baseUrl)
  const model = pickModel(
    {
      address: baseUrl,
      ...(await servedModels(baseUrl, PATIENCE_MS)),
      whenSilent: `Start the server, or name the model: ${way}.`,
      whenUnlisted: whenUnlisted(baseUrl, way),
      whenEmpty: `Load one, or name it: ${way}.`,
    },
    name,
  )
  const { openaiCompatible } = await import('toolwright/openai')
  return openaiCompatible(model, { baseUrl, provider: new URL(baseUrl).host })
}

/** Most servers have the API under a version, which is easily forgotten. */
function whenUnlisted(baseUrl: string, way: string): string {
  if (/\/v\d+\w*$/.test(baseUrl)) return `Name the model: ${way}.`
  return `Try the address with its version, ${baseUrl}/v1, or name the model: ${way}.`
}
