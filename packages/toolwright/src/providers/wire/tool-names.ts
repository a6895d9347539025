/**
 * Names of tools on their way to a provider and back: in definitions, choices, calls and responses, so that
 * nobody outside the adapter sees a wire name. Where all names are allowed nothing is copied. Copies are
 * remembered with what they were made of, because fragments are cached by message and by definition.
 */
import { ConfigurationError } from '../../errors/errors.ts'
import { listCache } from '../../internal/list-cache.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { AssistantPart, Message } from '../../messages/message.ts'
import type { ChatOptions } from '../../model/chat-model.ts'
import { remembered } from '../../schema/remembered.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolNameRule, WireQuestion } from './chat-dialect.ts'
import { isWritten, toWireName } from './wire-name.ts'

type Tools = readonly ToolCallback[]

/** The tools of one question as they are sent, and their own names by the names on the wire. */
interface NamedTools {
  readonly tools: Tools
  readonly names: ReadonlyMap<string, string>
}

/** By rule: all models of a dialect share what they remember. */
const known = new WeakMap<ToolNameRule, ToolNames>()

/** @param rule absent: the provider takes any name */
export function toolNamesOf(rule: ToolNameRule = ANY_NAME): ToolNames {
  return remembered(known, rule, () => new ToolNames(rule))
}

const ANY_NAME: ToolNameRule = { pattern: /(?:)/, maxLength: Infinity }

class ToolNames {
  readonly #rule: ToolNameRule
  readonly #messages = new WeakMap<Message, Message>()
  readonly #callbacks = new WeakMap<ToolCallback, ToolCallback>()
  readonly #named = listCache((tools: Tools) => this.#withWireNames(tools))

  constructor(rule: ToolNameRule) {
    this.#rule = rule
  }

  /** The question with names that the provider takes; the same object where it takes all. */
  toWire(question: WireQuestion): WireQuestion {
    const { tools } = this.#named(question.tools)
    const messages = mapped(question.messages, (message) => this.#message(message))
    const options = this.#options(question.options)
    const isSame =
      tools === question.tools && messages === question.messages && options === question.options
    return isSame ? question : { ...question, tools, messages, options }
  }

  /** The tool's own name. One that this question did not hold stays as the provider sent it. */
  fromWire(name: string, question: WireQuestion): string {
    if (!isWritten(name)) return name
    return this.#named(question.tools).names.get(name) ?? this.#inHistory(name, question) ?? name
  }

  /** The answer with the tools' own names; the same object where they are on the wire too. */
  response(response: ChatResponse, question: WireQuestion): ChatResponse {
    const results = mapped(response.results, (generation) => {
      const { message } = generation
      if (typeof message.content === 'string') return generation
      const content = mapped(message.content, (part) => this.#part(part, question))
      return content === message.content
        ? generation
        : { ...generation, message: { ...message, content } }
    })
    return results === response.results ? response : { ...response, results }
  }

  #part(part: AssistantPart, question: WireQuestion): AssistantPart {
    if (part.type !== 'tool-call') return part
    const name = this.fromWire(part.name, question)
    return name === part.name ? part : { ...part, name }
  }

  #wireName(name: string): string {
    return toWireName(this.#rule, name)
  }

  #withWireNames(given: Tools): NamedTools {
    const tools = mapped(given, (tool) => this.#callback(tool))
    const names = new Map<string, string>()
    for (const [position, { definition }] of tools.entries()) {
      const own = given[position]!.definition.name
      const other = names.get(definition.name)
      if (other !== undefined && other !== own) throw sameOnWire(own, other)
      names.set(definition.name, own)
    }
    return { tools, names }
  }

  #callback(tool: ToolCallback): ToolCallback {
    const { definition } = tool
    const name = this.#wireName(definition.name)
    if (name === definition.name) return tool
    const known = this.#callbacks.get(tool)
    if (known?.definition.name === name) return known
    const { metadata } = tool
    const renamed: ToolCallback = {
      definition: { ...definition, name },
      metadata,
      call: (input, context) => tool.call(input, context),
    }
    this.#callbacks.set(tool, renamed)
    return renamed
  }

  #message(message: Message): Message {
    if (message.role === 'tool') return this.#renamed(message, message.responses, 'responses')
    if (message.role !== 'assistant' || typeof message.content === 'string') return message
    return this.#renamed(message, message.content, 'content')
  }

  #renamed(message: Message, items: readonly object[], field: 'content' | 'responses'): Message {
    const known = this.#messages.get(message)
    if (known !== undefined) return known
    const renamed = mapped(items, (item) => {
      const { type = 'tool-call', name } = item as { type?: string; name?: string }
      if (type !== 'tool-call' || name === undefined) return item
      const wireName = this.#wireName(name)
      return wireName === name ? item : { ...item, name: wireName }
    })
    const made = renamed === items ? message : ({ ...message, [field]: renamed } as Message)
    this.#messages.set(message, made)
    return made
  }

  #options(options: ChatOptions): ChatOptions {
    const { toolChoice, deferredTools } = options
    if (typeof toolChoice !== 'object' && !deferredTools?.length) return options
    const deferred = deferredTools && mapped(deferredTools, (name) => this.#wireName(name))
    const tool = typeof toolChoice === 'object' ? this.#wireName(toolChoice.tool) : undefined
    const isSameTool = typeof toolChoice !== 'object' || toolChoice.tool === tool
    if (isSameTool && deferred === deferredTools) return options
    return {
      ...options,
      ...(tool !== undefined && { toolChoice: { tool } }),
      ...(deferred !== undefined && { deferredTools: deferred }),
    }
  }

  /** Models also call what they called before, though it is not offered any more. */
  #inHistory(wireName: string, { messages }: WireQuestion): string | undefined {
    for (const { name } of messages.flatMap(callsOf))
      if (this.#wireName(name) === wireName) return name
    return undefined
  }
}

function callsOf(message: Message): readonly { readonly name: string }[] {
  if (message.role === 'tool') return message.responses
  if (message.role !== 'assistant' || typeof message.content === 'string') return []
  return message.content.filter((part) => part.type === 'tool-call')
}

/** The same list where every item stays the same. */
function mapped<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  let changed: Item[] | undefined
  for (let at = 0; at < items.length; at++) {
    const item = items[at]!
    const made = change(item)
    if (made !== item) changed ??= items.slice(0, at)
    changed?.push(made)
  }
  return changed ?? items
}

function sameOnWire(one: string, other: string): ConfigurationError {
  return new ConfigurationError(
    'duplicate-tool',
    `The tools "${one}" and "${other}" have the same name on the provider's wire.`,
  )
}
