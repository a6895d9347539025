/** `prompts/list` and `prompts/get`. */
import type { GetPromptResult, Prompt, Server } from '@modelcontextprotocol/server'
import type { Json } from 'toolwright'
import { toBlocks } from '../content/to-blocks.ts'
import { guarded } from './guarded.ts'
import { pageOf } from './page.ts'
import type { PeerOf } from './peer.ts'
import { findPrompt } from './prompt-list.ts'
import { INVALID_PARAMS, Refusal } from './refusal.ts'
import { runWork, type Work } from './run-work.ts'
import type {
  PromptArguments,
  PromptContent,
  PromptMessage,
  ServedPrompt,
} from './served-prompt.ts'
import type { Serving } from './serving.ts'

export function addPrompts(server: Server, serving: Serving, peerOf: PeerOf): void {
  server.setRequestHandler('prompts/list', ({ params }) =>
    guarded(serving, async () => {
      const prompts = [...(await serving.prompts()).values()]
      const { items, next } = pageOf(prompts, ({ name }) => name, params?.cursor)
      return { prompts: items.map(toListedPrompt), ...next }
    }),
  )
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    guarded(serving, async () => {
      const prompt = findPrompt(await serving.prompts(), params.name)
      const work = promptWork(prompt, params.arguments ?? {})
      const answer = (json: Json): GetPromptResult => toPromptResult(prompt, json)
      return runWork(serving, peerOf(context), { work, answer })
    }),
  )
}

const toListedPrompt = ({ name, title, description, arguments: takes }: ServedPrompt): Prompt => ({
  name,
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  ...(takes && {
    arguments: takes.map(({ complete: _complete, required = false, ...argument }) => ({
      ...argument,
      required,
    })),
  }),
})

function promptWork(prompt: ServedPrompt, given: PromptArguments): Work {
  checkArguments(prompt, given)
  return {
    name: `prompts/get ${prompt.name}`,
    given,
    facts: { 'gen_ai.prompt.name': prompt.name },
    run: async (context) => toMessages(await prompt.get(given, context)) as unknown as Json,
  }
}

function checkArguments(
  { name, arguments: takes = [] }: ServedPrompt,
  given: PromptArguments,
): void {
  const missing = takes.filter(
    (argument) => argument.required && !Object.hasOwn(given, argument.name),
  )
  const known = new Set(takes.map((argument) => argument.name))
  const unknown = Object.keys(given).filter((key) => !known.has(key))
  const wrong = [
    ...missing.map((argument) => `it needs "${argument.name}"`),
    ...unknown.slice(0, 10).map((key) => `it does not take "${key.slice(0, 100)}"`),
  ]
  if (wrong.length > 0)
    throw new Refusal(
      INVALID_PARAMS,
      `The arguments of prompt "${name}" are wrong: ${wrong.join('; ')}.`,
    )
}

function toMessages(content: PromptContent): readonly PromptMessage[] {
  if (typeof content === 'string') return [{ role: 'user', content }]
  if (Array.isArray(content)) return content as readonly PromptMessage[]
  throw new Error('The prompt gave neither a text nor messages.')
}

function toPromptResult({ description }: ServedPrompt, json: Json): GetPromptResult {
  const messages = json as unknown as readonly PromptMessage[]
  return {
    ...(description !== undefined && { description }),
    messages: messages.flatMap(({ role, content: parts }) =>
      toBlocks(parts).map((content) => ({ role, content })),
    ),
  }
}
