/** `completion/complete`: values for an argument of a prompt, or a variable of a template, while a person types. */
import type { CompleteResult, Server } from '@modelcontextprotocol/server'
import type { Json } from 'toolwright'
import { guarded } from './guarded.ts'
import type { PeerOf } from './peer.ts'
import { findPrompt } from './prompt-list.ts'
import { INVALID_PARAMS, Refusal } from './refusal.ts'
import { runWork } from './run-work.ts'
import type { ServedPrompt } from './served-prompt.ts'
import type { Serving } from './serving.ts'

/** The protocol allows no more. */
const MOST_VALUES = 100

type Texts = { readonly [name: string]: string }
type Complete = (typed: string, others: Texts) => readonly string[] | Promise<readonly string[]>

/** What is completed: which argument of what. */
type Reference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

export function addCompletions(server: Server, serving: Serving, peerOf: PeerOf): void {
  server.setRequestHandler('completion/complete', ({ params }, context) =>
    guarded(serving, async () => {
      const { ref, argument } = params
      const complete = await completerOf(serving, ref, argument.name)
      const others = params.context?.arguments ?? {}
      const work = {
        name: `completion/complete ${ref.type === 'ref/prompt' ? ref.name : ref.uri}`,
        given: { ...others, [argument.name]: argument.value },
        run: async () => firstValues(await complete(argument.value, others)),
      }
      const answer = (json: Json) => ({ completion: json }) as unknown as CompleteResult
      return runWork(serving, peerOf(context), { work, answer }) as Promise<CompleteResult>
    }),
  )
}

async function completerOf(serving: Serving, ref: Reference, name: string): Promise<Complete> {
  const known =
    ref.type === 'ref/prompt'
      ? promptCompleters(findPrompt(await serving.prompts(), ref.name))
      : await templateCompleters(serving, ref.uri)
  const complete = known.get(name)
  if (!complete)
    throw new Refusal(INVALID_PARAMS, `There is no argument "${name.slice(0, 100)}" to complete.`)
  return complete
}

const NO_VALUES: Complete = () => []

const promptCompleters = ({ arguments: takes = [] }: ServedPrompt): ReadonlyMap<string, Complete> =>
  new Map(
    takes.map((argument) => [
      argument.name,
      (typed, others) => (argument.complete ? argument.complete(typed, others) : []),
    ]),
  )

async function templateCompleters(
  serving: Serving,
  uri: string,
): Promise<ReadonlyMap<string, Complete>> {
  const { templates } = await serving.resources()
  const found = templates.find(({ resource }) => resource.uri === uri)
  if (!found)
    throw new Refusal(INVALID_PARAMS, 'Resource template not found', { uri: uri.slice(0, 1000) })
  const { template, resource } = found
  const own = resource.complete ?? {}
  return new Map(
    template.variables.map((name) => [
      name,
      (Object.hasOwn(own, name) ? own[name] : undefined) ?? NO_VALUES,
    ]),
  )
}

function firstValues(found: readonly string[]): Json {
  if (!Array.isArray(found)) throw new Error('The completion gave no list of texts.')
  const values = found.slice(0, MOST_VALUES).filter((value) => typeof value === 'string')
  return { values, total: found.length, hasMore: found.length > MOST_VALUES }
}
