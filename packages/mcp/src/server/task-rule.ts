/** When calls of a tool become tasks. */

/** For clients that take tasks; others wait for the result. */
export interface TaskRule {
  /** Calls longer than this become tasks, in ms. `0`: at once. Default: the server's `taskAfterMs`, otherwise 0. */
  readonly afterMs?: number
  /** Clients that do not take tasks are refused. Default false. */
  readonly required?: boolean
  /**
   * The tool asks its questions before it begins: they are the answer to the call itself, and the task begins when they
   * are answered. Default false: a task asks while it runs.
   */
  readonly asksFirst?: boolean
}

/** Rules by the name of their tool. `false`: its calls never become tasks. */
export interface TaskRules {
  readonly [tool: string]: TaskRule | false
}

export interface TaskSettings {
  readonly taskAfterMs?: number
  readonly tasks?: TaskRules
}

export const hasTaskRules = ({ taskAfterMs, tasks }: TaskSettings): boolean =>
  taskAfterMs !== undefined || Object.values(tasks ?? {}).some(Boolean)

/** Undefined: its calls are waited for. */
export function taskRuleOf(
  { taskAfterMs, tasks = {} }: TaskSettings,
  tool: string,
): (TaskRule & { readonly afterMs: number }) | undefined {
  const rule = Object.hasOwn(tasks, tool) ? tasks[tool] : undefined
  if (rule === false) return undefined
  if (rule) return { ...rule, afterMs: rule.afterMs ?? taskAfterMs ?? 0 }
  return taskAfterMs === undefined ? undefined : { afterMs: taskAfterMs }
}
