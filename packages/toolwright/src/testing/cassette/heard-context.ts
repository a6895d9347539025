/** The context of a recorded tool: the call's own, but for its progress, which is heard. */
import { follow } from '../../internal/on-abort.ts'
import { DefaultToolContext, type OuterRun } from '../../tools/default-tool-context.ts'
import type { ToolContext } from '../../tools/tool-context.ts'

export function heardContext(context: ToolContext, hear: (progress: unknown) => void): ToolContext {
  if (!(context instanceof DefaultToolContext) || !context.outer) return context
  const { values, callId, toolName, attempt, idempotencyKey, history } = context
  const outer = heardRun(context.outer, hear)
  const parts = { values, callId, toolName, attempt, idempotencyKey, outer }
  const heard = new DefaultToolContext(history ? { ...parts, history } : parts)
  follow(context.signal, (reason) => heard.abort(reason))
  return heard
}

function heardRun(outer: OuterRun, hear: (progress: unknown) => void): OuterRun {
  return {
    ...(outer.mode && { mode: outer.mode }),
    answers: outer.answers,
    ...(outer.kept !== undefined && { kept: outer.kept }),
    emit: (event) => outer.emit(event),
    progress: (value) => {
      hear(value)
      outer.progress(value)
    },
    notice: (code, message, data) => outer.notice(code, message, data),
    facts: outer.facts,
    label: outer.label,
    mark: (label) => outer.mark(label),
    inside: outer.inside,
  }
}
