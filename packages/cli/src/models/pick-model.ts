/** Picks a model of a server that says which it has. What is not there is reported before anything is asked. */
import { CommandError } from '../command/command-error.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import type { Listing } from './fetched-json.ts'

export interface ModelServer extends Listing {
  readonly address: string
  /** What to do if it does not answer, and no model is named. */
  readonly whenSilent: string
  /** What to do if it answers, but does not say what it has, and no model is named. */
  readonly whenUnlisted: string
  /** What to do if it has none. */
  readonly whenEmpty: string
  /** What to do if it does not have the one that is named. */
  whenMissing?(name: string): string
  /** Which models are better for what is asked, if there is a choice. */
  isPreferred?(name: string): boolean
}

/** Without a name: the first model that chats, of the preferred ones if there are any. */
export function pickModel(server: ModelServer, name: string | undefined): string {
  return name === undefined ? firstOf(server) : checkServed(server, name)
}

function firstOf(server: ModelServer): string {
  const { address, models } = server
  if (models === undefined) throw unlisted(server)
  // Servers list embedding models beside chat models.
  const chatting = models.filter((name) => !/embed/i.test(name))
  const first = chatting.find((name) => server.isPreferred?.(name)) ?? chatting[0]
  if (first !== undefined) return first
  throw new CommandError(`${address} has no model to chat with. ${server.whenEmpty}`)
}

function unlisted({ address, status, whenSilent, whenUnlisted }: ModelServer): CommandError {
  if (status === undefined) return new CommandError(`${address} does not answer. ${whenSilent}`)
  const answered = `${address} answered (${status}), but does not list its models.`
  return new CommandError(`${answered} ${whenUnlisted}`)
}

function checkServed({ address, models, whenMissing }: ModelServer, name: string): string {
  if (models === undefined || models.includes(name)) return name
  // A server that lists nothing may still load a model on request, unless the user has to pull it first.
  if (models.length === 0 && whenMissing === undefined) return name
  const has = models.length === 0 ? 'It has none.' : `It has: ${models.join(', ')}.`
  const then = whenMissing === undefined ? '' : ` ${whenMissing(name)}`
  throw new CommandError(
    `${address} has no model "${name}".${didYouMean(name, models)} ${has}${then}`,
  )
}
