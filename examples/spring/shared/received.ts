/**
 * What a scripted model was sent, round by round. The twins assert on this, not on what a script
 * says.
 */
import { textOf, toolsOf, type Message, type Prompt, type ToolDefinition } from 'toolwright'

export interface Received {
  readonly messages: readonly Message[]
  /** The text of the newest message. */
  readonly newest: string
  readonly definitions: readonly ToolDefinition[]
  /** The names of the tools offered. */
  readonly tools: readonly string[]
  /** What the newest tool message says, call by call; of a failed call as `{ error }`. */
  readonly results: readonly unknown[]
  /** All of it as text, to look for what must not be there. */
  readonly everything: string
}

/**
 * @example
 * const [first, second] = received(model.prompts)
 * assert.deepEqual(first?.tools, ['currentWeather'])
 * assert.deepEqual(second?.results, ['21 C'])
 */
export const received = (prompts: readonly Prompt[]): readonly Received[] =>
  prompts.map(({ messages, options }) => {
    const definitions = toolsOf(options?.tools ?? []).map((callback) => callback.definition)
    return {
      messages,
      newest: messages.length > 0 ? textOf(messages.at(-1)!) : '',
      definitions,
      tools: definitions.map((definition) => definition.name),
      results: resultsOf(messages.findLast((message) => message.role === 'tool')),
      everything: JSON.stringify({ messages, definitions }),
    }
  })

const resultsOf = (message: Message | undefined): readonly unknown[] =>
  message?.role === 'tool'
    ? message.responses.map(({ isError, content }) => (isError ? { error: content } : content))
    : []
