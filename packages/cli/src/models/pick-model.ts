/** Picks a model of a server that says which it has. What is not there is reported before anything is asked. */
import { CommandError } from '../command/command-error.ts'
import { didYouMean } from '../command/did-you-mean.ts'

export interface ModelServer {
  readonly address: string
  /** Undefined if it does not say. */
  readonly models: readonly string[] | undefined
  /** What to do if it does not say, and no model is named. */
  readonly whenSilent: string
  /** What to do if it has none. */
  readonly whenEmpty: string
  /** What to do if it does not have the one that is named. */
  whenMissing?(name: string): string
}

/** Without a name: the first model that chats. */
export function pickModel(server: ModelServer, name: string | undefined): string {
  return name === undefined ? firstOf(server) : checkServed(server, name)
}

function firstOf({ address, models, whenSilent, whenEmpty }: ModelServer): string {
  if (models === undefined)
    throw new CommandError(`${address} does not list its models. ${whenSilent}`)
  // Servers list embedding models beside chat models.
  const first = models.find((name) => !/embed/i.test(name))
  if (first !== undefined) return first
  throw new CommandError(`${address} has no model to chat with. ${whenEmpty}`)
}

function checkServed({ address, models, whenMissing }: ModelServer, name: string): string {
  if (models === undefined || models.includes(name)) return name
  // A server that lists nothing may still load what it is asked for, unless somebody has to get it first.
  if (models.length === 0 && whenMissing === undefined) return name
  const has = models.length === 0 ? 'It has none.' : `It has: ${models.join(', ')}.`
  const then = whenMissing === undefined ? '' : ` ${whenMissing(name)}`
  throw new CommandError(
    `${address} has no model "${name}".${didYouMean(name, models)} ${has}${then}`,
  )
}
