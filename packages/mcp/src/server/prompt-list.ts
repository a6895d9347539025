/** The prompts of a server, by their names. */
import { invalid } from './invalid-option.ts'
import { INVALID_PARAMS, Refusal } from './refusal.ts'
import type { ServedPrompt } from './served-prompt.ts'

export type Prompts = ReadonlyMap<string, ServedPrompt>

/** By name, in their order. */
export function promptsByName(prompts: readonly ServedPrompt[]): Prompts {
  const byName = new Map(prompts.map((prompt) => [prompt.name, prompt]))
  for (const name of byName.keys())
    if (typeof name !== 'string' || name.trim() === '') throw invalid('A prompt has no name.')
  if (byName.size < prompts.length) throw invalid('Two prompts have the same name.')
  return byName
}

export function findPrompt(prompts: Prompts, name: string): ServedPrompt {
  const prompt = prompts.get(name)
  if (!prompt) throw new Refusal(INVALID_PARAMS, `Unknown prompt: ${name.slice(0, 200)}`)
  return prompt
}
