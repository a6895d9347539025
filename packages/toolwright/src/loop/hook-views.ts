/**
 * What hooks are shown of a run. They change it by what they return: what they do to these objects reaches
 * nobody. Loaded with the first hook.
 */
import { frozenCopy } from '../internal/frozen-copy.ts'
import type { RunProgress } from '../messages/run-state.ts'
import type { ToolSource } from '../tools/tool-source.ts'
import type { AdvisedRequest } from './advisor.ts'
import type { LoopState } from './tool-calling-options.ts'

/** The messages and answers themselves are shared: a long conversation is not copied for every hook. */
export const stateForHook = (progress: RunProgress): LoopState =>
  Object.freeze({
    ...progress,
    messages: Object.freeze([...progress.messages]),
    rounds: Object.freeze([...progress.rounds]),
    counters: frozenCopy(progress.counters),
    answered: frozenCopy(progress.answered),
    pending: frozenCopy(progress.pending),
    answers: frozenCopy(progress.answers),
  })

export function requestForHook(request: AdvisedRequest): AdvisedRequest {
  const { messages, options } = request.prompt
  const prompt = {
    messages: [...messages],
    ...(options && {
      options: { ...options, ...(options.tools && { tools: listForHook(options.tools) }) },
    }),
  }
  return { ...request, prompt }
}

/** One copy for each list: providers remember what they have written for a list of tools. */
const lists = new WeakMap<readonly ToolSource[], readonly ToolSource[]>()

function listForHook(tools: readonly ToolSource[]): readonly ToolSource[] {
  if (Object.isFrozen(tools)) return tools
  const known = lists.get(tools)
  if (known?.length === tools.length) return known
  const copy = Object.freeze([...tools])
  lists.set(tools, copy)
  return copy
}
