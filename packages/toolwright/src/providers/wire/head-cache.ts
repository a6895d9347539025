/**
 * Remembers what a request says besides its messages: the settings and the tools. The rounds of a conversation ask
 * in the same way, and so do most conversations of one program; only the messages are others.
 */
import type { ChatOptions } from '../../model/chat-model.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { WireQuestion } from './chat-dialect.ts'

interface Head {
  readonly way: readonly unknown[]
  readonly text: string
}

/** @param write what the dialect sends of a question, without its messages */
export function headCache(
  write: (question: WireQuestion) => string,
): (question: WireQuestion) => string {
  const known = new WeakMap<readonly ToolCallback[], Head>()
  return (question) => {
    if (hasObjects(question.options)) return write(question)
    const way = wayOf(question)
    const before = known.get(question.tools)
    if (before?.way.every((value, index) => value === way[index])) return before.text
    const text = write(question)
    known.set(question.tools, { way, text })
    return text
  }
}

/** Their owner may change what is in them, so they are written each time. */
const hasObjects = (options: ChatOptions): boolean =>
  options.providerOptions !== undefined ||
  options.outputSchema !== undefined ||
  options.stopSequences !== undefined ||
  options.deferredTools !== undefined ||
  typeof options.toolChoice === 'object'

function wayOf({ model, stream, tools, capabilities, options }: WireQuestion): readonly unknown[] {
  const { temperature, topP, topK, maxTokens, seed, toolChoice, parallelToolCalls } = options
  const sampling = [temperature, topP, topK, maxTokens, seed]
  // The list is readonly to us, but its owner may still push to it.
  return [model, stream, tools.length, capabilities, toolChoice, parallelToolCalls, ...sampling]
}
