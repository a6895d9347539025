/**
 * What a server may ask this side for, besides a person's answer: words of a model, and folders. Both are off unless the
 * program gave them. No tools are handed on, so that a server cannot reach a tool by asking a model.
 */
import type { CreateMessageRequest, CreateMessageResult } from '@modelcontextprotocol/client'
import { McpError, textOf, type ChatModel, type Message, type UserPart } from 'toolwright'
import { partsOfBlocks } from '../content/from-blocks.ts'
import type { McpToolsOptions } from './mcp-tools-options.ts'

/** Answers that a model may be asked for at once, by one server. */
const MOST_AT_ONCE = 4
const MOST_TOKENS = 8_192

export class ServerRequests {
  readonly #options: McpToolsOptions
  #running = 0

  constructor(options: McpToolsOptions) {
    this.#options = options
  }

  get capabilities(): object {
    const { sampling, roots } = this.#options
    return { ...(sampling && { sampling: {} }), ...(roots && { roots: {} }) }
  }

  /** Answers what a server asked for by this method. */
  answer(method: string, params: unknown): Promise<object> {
    const { sampling, roots } = this.#options
    if (method === 'roots/list' && roots) return Promise.resolve({ roots: [...roots] })
    if (method === 'sampling/createMessage' && sampling)
      return this.#sample(sampling, params as CreateMessageRequest['params'])
    throw new McpError(
      'mcp-protocol',
      `The server asks for ${method}, which was not offered to it.`,
    )
  }

  async #sample(
    model: ChatModel,
    {
      messages,
      systemPrompt,
      maxTokens,
      temperature,
      stopSequences,
    }: CreateMessageRequest['params'],
  ): Promise<CreateMessageResult> {
    if (this.#running >= MOST_AT_ONCE)
      throw new McpError(
        'mcp-refused',
        `The server asks for more than ${MOST_AT_ONCE} answers of a model at once.`,
      )
    this.#running++
    try {
      const system: readonly Message[] = systemPrompt
        ? [{ role: 'system', content: systemPrompt }]
        : []
      const response = await model.call({
        messages: [...system, ...messages.map(toMessage)],
        options: {
          maxTokens: Math.min(maxTokens ?? MOST_TOKENS, MOST_TOKENS),
          ...(temperature !== undefined && { temperature }),
          ...(stopSequences && { stopSequences }),
        },
      })
      const stopReason = response.results[0]?.finishReason === 'length' ? 'maxTokens' : 'endTurn'
      return {
        role: 'assistant',
        content: { type: 'text', text: textOf(response) },
        model: response.model ?? model.model,
        stopReason,
      }
    } finally {
      this.#running--
    }
  }
}

type SamplingMessage = CreateMessageRequest['params']['messages'][number]

function toMessage({ role, content }: SamplingMessage): Message {
  const { parts } = partsOfBlocks([content].flat())
  const label = { trust: 'untrusted' as const }
  return role === 'assistant'
    ? { role, content: textOfParts(parts), label }
    : { role: 'user', content: parts, label }
}

const textOfParts = (parts: readonly UserPart[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
