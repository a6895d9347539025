/** A model that keeps nothing in memory, so that any worker gives the answer that any other would have given. */
import type { ChatModel, Prompt } from 'toolwright'
import { scriptedModel, type ScriptedAnswer } from 'toolwright/testing'

/** Its answer follows from the prompt alone. */
export function statelessModel(answer: (prompt: Prompt) => Promise<ScriptedAnswer>): ChatModel {
  const { provider, model, capabilities, options } = scriptedModel([])
  const once = async (prompt: Prompt): Promise<ChatModel> => scriptedModel([await answer(prompt)])
  return {
    provider,
    model,
    capabilities,
    options,
    call: async (prompt, run) => (await once(prompt)).call(prompt, run),
    async *stream(prompt, run) {
      yield* (await once(prompt)).stream(prompt, run)
    },
  }
}
