/**
 * What becomes of a question that asks for more than the model can do, decided once for all providers. No
 * adapter needs to look: what reaches its `toWire` is within the capabilities of the model that is asked.
 *
 * | asked for                       | without      | what happens                                         |
 * | ------------------------------- | ------------ | ---------------------------------------------------- |
 * | tools                           | `tools`      | a `model-without-tools` error                        |
 * | one tool by `toolChoice`        | `toolChoice` | only this tool is offered, and a notice says so      |
 * | `toolChoice: 'required'`        | `toolChoice` | the model decides, and a notice says so              |
 * | `toolChoice: 'none'`            | `toolChoice` | no tool is offered                                   |
 * | `parallelToolCalls: false`      | `parallelOff`| nothing: the option is for providers that support it |
 * | images, documents               | `media`, `files` | words stand for them, and a notice says so       |
 */
import { ConfigurationError } from '../../errors/errors.ts'
import { notice, type Notice } from '../../errors/notices.ts'
import type { Message, UserPart } from '../../messages/message.ts'
import type { ChatOptions, ModelCapabilities } from '../../model/chat-model.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { WireQuestion } from './chat-dialect.ts'
import { mediaNote } from './media-note.ts'

export interface QuestionWithin {
  /** The same object where the model can do everything that is asked. */
  readonly question: WireQuestion
  readonly notices: readonly Notice[]
}

export function withinCapabilities(question: WireQuestion): QuestionWithin {
  const { capabilities } = question
  if (capabilities.tools === false && question.tools.length > 0) throw withoutTools(question)
  const notices: Notice[] = []
  const tell: Tell = (said) => void notices.push(said)
  const chosen = withChoice(question, tell)
  return { question: withMedia(withParallel(chosen), tell), notices }
}

type Tell = (notice: Notice) => void

function withoutTools({ model, tools }: WireQuestion): ConfigurationError {
  const names = tools.map(({ definition }) => `"${definition.name}"`).join(', ')
  const message = `The model ${model} cannot use tools, and it was offered ${names}.`
  return new ConfigurationError('model-without-tools', message)
}

function withChoice(question: WireQuestion, tell: Tell): WireQuestion {
  const { model, options, tools, capabilities } = question
  const { toolChoice } = options
  const isPlain = toolChoice === undefined || toolChoice === 'auto' || tools.length === 0
  if (isPlain || capabilities.toolChoice) return question
  const { toolChoice: _choice, ...rest } = options
  const narrowed = { ...question, options: rest }
  if (toolChoice === 'none') return { ...narrowed, tools: [] }
  if (toolChoice === 'required') {
    tell(notForced(model))
    return narrowed
  }
  tell(notForced(model, toolChoice.tool))
  const only = tools.filter(({ definition }) => definition.name === toolChoice.tool)
  return { ...narrowed, tools: onlyTool(only, tools) }
}

/** The same array again for the same tool, so that caches recognise it. */
function onlyTool(only: readonly ToolCallback[], tools: readonly ToolCallback[]) {
  const [tool] = only
  if (tool === undefined || tools.length === 1) return tools
  const known = alone.get(tool)
  if (known === undefined) alone.set(tool, only)
  return known ?? only
}
const alone = new WeakMap<ToolCallback, readonly ToolCallback[]>()

function notForced(model: string, tool?: string): Notice {
  const what = tool === undefined ? 'it may answer without one' : `only "${tool}" was offered`
  return notice(
    'tool-choice-not-supported',
    `The model ${model} cannot be made to call a tool; ${what}.`,
  )
}

function withParallel(question: WireQuestion): WireQuestion {
  if (question.options.parallelToolCalls !== false || question.capabilities.parallelOff)
    return question
  const { parallelToolCalls: _parallel, ...options }: ChatOptions = question.options
  return { ...question, options }
}

function withMedia(question: WireQuestion, tell: Tell): WireQuestion {
  const worded = wordedFor(question.capabilities)
  if (worded === undefined) return question
  const messages = question.messages.map((message) => worded.message(message))
  const isSame = messages.every((message, index) => message === question.messages[index])
  if (isSame) return question
  const kinds = worded.kinds.join(' and no ')
  const message = `The model ${question.model} takes no ${kinds}; words stand for what was sent. If it does take them, say so in its capabilities.`
  tell(notice('media-not-supported', message))
  return { ...question, messages }
}

/** A picture is one also when it is sent as a file. */
function kindOf(part: UserPart): string {
  return part.type === 'file' && part.mediaType.startsWith('image/') ? 'image' : part.type
}

/** Puts words in the place of media. Messages are remembered: their fragments are cached by object. */
class Worded {
  readonly kinds: readonly string[]
  readonly #known = new WeakMap<Message, Message>()

  constructor(...kinds: readonly string[]) {
    this.kinds = kinds
  }

  message(message: Message): Message {
    if (message.role === 'system' || message.role === 'assistant') return message
    if (message.role === 'user' && typeof message.content === 'string') return message
    const known = this.#known.get(message)
    if (known !== undefined) return known
    const made = this.#worded(message)
    this.#known.set(message, made)
    return made
  }

  #worded(message: Exclude<Message, { role: 'system' | 'assistant' }>): Message {
    if (message.role === 'user') {
      const content = this.#content(message.content)
      return content === message.content ? message : { ...message, content }
    }
    const responses = message.responses.map((response) => {
      const content = this.#content(response.content)
      return content === response.content ? response : { ...response, content }
    })
    const isSame = responses.every((response, index) => response === message.responses[index])
    return isSame ? message : { ...message, responses }
  }

  #content(content: string | readonly UserPart[]): string | readonly UserPart[] {
    if (typeof content === 'string') return content
    const isWorded = (part: UserPart): boolean => this.kinds.includes(kindOf(part))
    if (!content.some(isWorded)) return content
    return content.map((part) =>
      part.type !== 'text' && isWorded(part) ? { type: 'text', text: mediaNote(part) } : part,
    )
  }
}

const WITHOUT_IMAGES = new Worded('image')
const WITHOUT_FILES = new Worded('file')
const WITHOUT_BOTH = new Worded('image', 'file')

function wordedFor({ media, files }: ModelCapabilities): Worded | undefined {
  if (media) return files ? undefined : WITHOUT_FILES
  return files ? WITHOUT_IMAGES : WITHOUT_BOTH
}
