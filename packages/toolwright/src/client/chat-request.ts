/** One question. Each method returns a new request; nothing is sent until the run is asked for a result. */
import type { Advisor } from '../loop/advisor.ts'
import { ConfigurationError, ResumeError } from '../errors/errors.ts'
import { NONE, NOTHING } from '../internal/nothing.ts'
import type { Message, UserPart } from '../messages/message.ts'
import type { ConversationKey } from '../memory/chat-memory.ts'
import type { ChatOptions, Prompt } from '../model/chat-model.ts'
import { flattenSources, type ToolSource } from '../tools/tool-source.ts'
import type { ChatClientOptions } from './client-settings.ts'
import { CallRun } from './call-run.ts'
import { fillTemplate, type TemplateParams } from './fill-template.ts'
import type { RequestSpec } from './request-spec.ts'
import { startRun } from './start-run.ts'
import { StreamRun } from './stream-run.ts'

export class ChatRequest<Names extends string = string> {
  readonly #spec: RequestSpec

  constructor(spec: RequestSpec) {
    this.#spec = spec
  }

  /** Replaces the client's system text. */
  system(text: string, params?: TemplateParams): ChatRequest<Names> {
    return this.#said({ system: fillTemplate(text, params) })
  }

  /** The user's words, after all other messages. */
  user(content: string | readonly UserPart[], params?: TemplateParams): ChatRequest<Names> {
    const filled = (part: UserPart): UserPart =>
      part.type === 'text' ? { ...part, text: fillTemplate(part.text, params) } : part
    return this.#said({
      user:
        typeof content === 'string' ? fillTemplate(content, params) : content.map((p) => filled(p)),
    })
  }

  messages(...messages: readonly Message[]): ChatRequest<Names> {
    return this.#said({ messages: [...this.#spec.messages, ...messages] })
  }

  options(options: ChatOptions & { readonly toolNames?: readonly Names[] }): ChatRequest<Names> {
    const { options: earlier } = this.#spec
    const toolContext = { ...earlier.toolContext, ...options.toolContext }
    return this.#with({ options: { ...earlier, ...options, toolContext } })
  }

  /** Offers these tools instead of the client's; repeated calls add up. */
  tools(...sources: readonly ToolSource[]): ChatRequest<Names> {
    return this.#with({
      tools: [...(this.#spec.tools ?? []), ...flattenSources(sources)],
      toolNames: this.#spec.toolNames ?? [],
    })
  }

  /** The same, by name: the client's resolver finds them. */
  toolNames(...names: readonly Names[]): ChatRequest<Names> {
    return this.#with({
      toolNames: [...(this.#spec.toolNames ?? []), ...names],
      tools: this.#spec.tools ?? [],
    })
  }

  /** Offers these tools besides the others. */
  addTools(...sources: readonly ToolSource[]): ChatRequest<Names> {
    return this.#with({ addedTools: [...this.#spec.addedTools, ...flattenSources(sources)] })
  }

  addToolNames(...names: readonly Names[]): ChatRequest<Names> {
    return this.#with({ addedToolNames: [...this.#spec.addedToolNames, ...names] })
  }

  /** For the tools only: the model never sees it. */
  toolContext(values: { readonly [key: string]: unknown }): ChatRequest<Names> {
    return this.#with({ toolContext: { ...this.#spec.toolContext, ...values } })
  }

  advisors(...advisors: readonly Advisor[]): ChatRequest<Names> {
    return this.#with({ addedAdvisors: [...this.#spec.addedAdvisors, ...advisors] })
  }

  /** A value for advisors. */
  param(key: string, value: unknown): ChatRequest<Names> {
    return this.#with({ params: { ...this.#spec.params, [key]: value } })
  }

  /** Which conversation this belongs to, for memory. */
  conversation(key: ConversationKey): ChatRequest<Names> {
    const named =
      typeof key === 'string'
        ? key !== ''
        : typeof key === 'object' && key !== null && !!key.tenant && !!key.conversation
    if (!named)
      throw new ConfigurationError('missing-conversation-id', 'The conversation id is empty.')
    return this.param('conversation', key)
  }

  signal(signal: AbortSignal): ChatRequest<Names> {
    return this.#with({ signal })
  }

  /** `false`: the model's calls are returned unexecuted. */
  toolCalling(on: ChatClientOptions['toolCalling']): ChatRequest<Names> {
    return this.#with({ toolCalling: on })
  }

  call(): CallRun {
    return new CallRun(startRun(this.#spec, 'call'))
  }

  stream(): StreamRun {
    return new StreamRun(startRun(this.#spec, 'stream'))
  }

  #with(change: Partial<RequestSpec>): ChatRequest<Names> {
    return new ChatRequest({ ...this.#spec, ...change })
  }

  #said(change: Partial<RequestSpec>): ChatRequest<Names> {
    if (!this.#spec.resume) return this.#with(change)
    throw new ResumeError(
      'resume-messages',
      'A resumed run goes on where it stopped; it takes no new messages.',
    )
  }
}

/** The messages and options of `prompt(...)` in all its forms. */
export function promptParts(
  prompt: string | readonly Message[] | Prompt | undefined,
): Pick<RequestSpec, 'messages' | 'options' | 'user'> {
  if (prompt === undefined) return { messages: NONE, options: NOTHING }
  if (typeof prompt === 'string') return { messages: NONE, options: NOTHING, user: prompt }
  if (Array.isArray(prompt)) return { messages: prompt, options: NOTHING }
  const { messages, options } = (prompt ?? {}) as Partial<Prompt>
  if (!Array.isArray(messages)) {
    throw new ConfigurationError(
      'invalid-message',
      'prompt() takes a text, a list of messages, or { messages, options }.',
    )
  }
  return { messages, options: options ?? NOTHING }
}
