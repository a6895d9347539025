/** One question. Each method returns a new request; nothing is sent until the run is asked for a result. */
import type { Advisor } from '../loop/advisor.ts'
import { ConfigurationError, ResumeError } from '../errors/errors.ts'
import { checkKinds, type Kinds } from '../schema/option-kinds.ts'
import { NONE, NOTHING } from '../internal/nothing.ts'
import type { Message, UserPart } from '../messages/message.ts'
import { conversationKeyOf, type ConversationKey } from '../messages/conversation-key.ts'
import type { ChatOptions, ModelRun, Prompt } from '../model/chat-model.ts'
import { checkedChatOptions } from '../model/check-chat-options.ts'
import { normalLimits, type Limits } from '../run/limits.ts'
import { flattenSources, type ToolSource } from '../tools/tool-source.ts'
import { CLIENT_KINDS, type ChatClientOptions } from './client-settings.ts'
import { CallRun } from './call-run.ts'
import { fillTemplate, type TemplateParams } from './fill-template.ts'
import type { RequestSpec } from './request-spec.ts'
import { checkRun, startRun } from './start-run.ts'
import { StreamRun } from './stream-run.ts'

const SIGNAL: Kinds<Pick<ModelRun, 'signal'>> = {
  signal: ['an AbortSignal', (x) => typeof (x as AbortSignal | null)?.aborted === 'boolean'],
}

export class ChatRequest<Names extends string = string> {
  readonly #spec: RequestSpec

  constructor(spec: RequestSpec) {
    this.#spec = spec
  }

  /** Replaces the client's system text. */
  system(text: string, params?: TemplateParams): ChatRequest<Names> {
    return this.#said({ system: fillTemplate(text, params) })
  }

  /** The user's words, after all other messages. They are given once: here, or by `prompt(text)`. */
  user(content: string | readonly UserPart[], params?: TemplateParams): ChatRequest<Names> {
    const filled = (part: UserPart): UserPart =>
      part.type === 'text' ? { ...part, text: fillTemplate(part.text, params) } : part
    const user =
      typeof content === 'string' ? fillTemplate(content, params) : content.map((p) => filled(p))
    const { user: before, saidBy } = this.#spec
    const next = this.#said({ user, saidBy: '.user()' })
    if (before === undefined) return next
    throw new ConfigurationError(
      'invalid-message',
      `${saidBy} gave the user's words, and .user() gives them again; only one of them could be sent. Write prompt().user(...), or give earlier words with .messages({ role: 'user', content }).`,
    )
  }

  messages(...messages: readonly Message[]): ChatRequest<Names> {
    return this.#said({ messages: [...this.#spec.messages, ...messages] })
  }

  options(options: ChatOptions & { readonly toolNames?: readonly Names[] }): ChatRequest<Names> {
    const given = checkedChatOptions('.options()', options)
    const { options: earlier } = this.#spec
    const toolContext = { ...earlier.toolContext, ...given?.toolContext }
    return this.#with({ options: { ...earlier, ...given, toolContext } })
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
    checkKinds('.toolContext()', { toolContext: values }, CLIENT_KINDS)
    return this.#with({ toolContext: { ...this.#spec.toolContext, ...values } })
  }

  advisors(...advisors: readonly Advisor[]): ChatRequest<Names> {
    checkKinds('.advisors()', { advisors }, CLIENT_KINDS)
    return this.#with({ addedAdvisors: [...this.#spec.addedAdvisors, ...advisors] })
  }

  /** A value for advisors. */
  param(key: string, value: unknown): ChatRequest<Names> {
    return this.#with({ params: { ...this.#spec.params, [key]: value } })
  }

  /** Which conversation this belongs to, for memory. */
  conversation(key: ConversationKey): ChatRequest<Names> {
    if (conversationKeyOf(key) === undefined)
      throw new ConfigurationError('missing-conversation-id', 'The conversation id is empty.')
    return this.param('conversation', key)
  }

  signal(signal: AbortSignal): ChatRequest<Names> {
    checkKinds('.signal()', { signal }, SIGNAL)
    return this.#with({ signal })
  }

  /** Limits of this request; those that are not given stay the client's. Repeated calls add up. */
  limits(limits: Partial<Limits>): ChatRequest<Names> {
    normalLimits(limits)
    return this.#with({ limits: { ...this.#spec.limits, ...limits } })
  }

  /** `false`: the model's calls are returned unexecuted. */
  toolCalling(on: ChatClientOptions['toolCalling']): ChatRequest<Names> {
    checkKinds('.toolCalling()', { toolCalling: on }, CLIENT_KINDS)
    return this.#with({ toolCalling: on })
  }

  /**
   * Checks a request without running it: rejects as the run would before anything is sent or runs. Looked at are the
   * messages and the tools; of a resume, whose state stays usable, the state and its signature, the tools, and each
   * decision, an edited input by the tool's schema. Not looked at are tools that a hook adds, the policy, the tool
   * context, and whether the state was used before.
   */
  check(): Promise<void> {
    return checkRun(this.#spec)
  }

  /** A run that is answered whole. It starts when a result is asked of it; awaiting the run itself does nothing. */
  call(): CallRun {
    return new CallRun(startRun(this.#spec, 'call'))
  }

  /** A run to be read as it happens. It starts when a result is asked of it; awaiting the run itself does nothing. */
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
): Pick<RequestSpec, 'messages' | 'options' | 'user' | 'saidBy'> {
  if (prompt === undefined) return { messages: NONE, options: NOTHING }
  if (typeof prompt === 'string')
    return { messages: NONE, options: NOTHING, user: prompt, saidBy: 'prompt()' }
  if (Array.isArray(prompt)) return { messages: prompt, options: NOTHING }
  const { messages, options } = (prompt ?? {}) as Partial<Prompt>
  if (!Array.isArray(messages)) {
    throw new ConfigurationError(
      'invalid-message',
      'prompt() takes a text, a list of messages, or { messages, options }.',
    )
  }
  return { messages, options: checkedChatOptions('prompt()', options) ?? NOTHING }
}
