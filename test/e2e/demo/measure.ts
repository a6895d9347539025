/** How often a model picks the tool that a sentence asks for, and fills what it requires. */
import { ChatClient, tool, type ChatModel, type Json } from 'toolwright'
import type { MadeTool, SentencePair } from './sentence-pairs.ts'

export interface Outcome {
  readonly pair: SentencePair
  readonly calls: readonly { readonly name: string; readonly input: Json }[]
  readonly answer: string
  readonly picked: boolean
  readonly filled: boolean
}

/** Asks with all the tools of a pair, which do nothing but remember what they were called with. */
export async function outcomeOf(model: ChatModel, pair: SentencePair): Promise<Outcome> {
  const calls: { name: string; input: Json }[] = []
  const recording = ({ name, description, inputSchema }: MadeTool) =>
    tool({
      name,
      description,
      input: inputSchema,
      execute: (input) => void calls.push({ name, input: input as Json }),
    })
  const answer = await ChatClient.create(model)
    .prompt(pair.sentence)
    .tools(...pair.tools.map(recording))
    .call()
    .content()
  const picked = calls.length === 1 && calls[0]!.name === pair.tool
  const input = Object(calls[0]?.input) as { readonly [name: string]: Json }
  const right = ([name, value]: readonly [string, Json]): boolean => input[name] === value
  return {
    pair,
    calls,
    answer,
    picked,
    filled: picked && Object.entries(pair.expected).every(right),
  }
}
