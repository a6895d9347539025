/**
 * Models that say what a script tells them, so that both sides of a comparison get the same answers and no key
 * is needed. In a program of your own there is a provider's model instead.
 */
import { simulateReadableStream } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { ProviderError } from 'toolwright'
import { scriptedModel, type ScriptedModel } from 'toolwright/testing'

/** A text, a call of a tool with its arguments as JSON, or what goes wrong at the provider. */
export type Step =
  string | { readonly call: string; readonly input: string } | { readonly fails: string }

export const toolwrightModel = (steps: readonly Step[]): ScriptedModel =>
  scriptedModel(
    steps.map((step) => {
      if (typeof step === 'string') return step
      if ('call' in step) return { toolCalls: [{ name: step.call, rawArguments: step.input }] }
      const provider = 'scripted'
      return { error: new ProviderError('provider-unavailable', step.fails, { provider }) }
    }),
  )

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}

/** The same for the AI SDK, on its own mock. */
export function aiSdkModel(steps: readonly Step[]): MockLanguageModelV3 {
  let asked = 0
  const next = () => {
    const step = steps[asked++]
    if (step === undefined) throw new Error(`The script has ${steps.length} steps.`)
    if (typeof step === 'object' && 'fails' in step) throw new Error(step.fails)
    const isText = typeof step === 'string'
    const content = isText
      ? { type: 'text' as const, text: step }
      : {
          type: 'tool-call' as const,
          toolCallId: `call_${asked}`,
          toolName: step.call,
          input: step.input,
        }
    const unified = isText ? ('stop' as const) : ('tool-calls' as const)
    return { content, end: { finishReason: { unified, raw: undefined }, usage } }
  }
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const { content, end } = next()
      return { content: [content], ...end, warnings: [] }
    },
    doStream: async () => {
      const { content, end } = next()
      const said =
        content.type === 'text'
          ? [
              { type: 'text-start' as const, id: '1' },
              ...content.text
                .split(/(?<= )/)
                .map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
              { type: 'text-end' as const, id: '1' },
            ]
          : [content]
      const chunks = [
        { type: 'stream-start' as const, warnings: [] },
        ...said,
        { type: 'finish' as const, ...end },
      ]
      return {
        stream: simulateReadableStream({ chunks, chunkDelayInMs: null, initialDelayInMs: null }),
      }
    },
  })
}
