/** `defineTools()` declares which methods of a class are tools, without decorators. */
import { checkOptions } from '../internal/check-options.ts'
import { addToolMethod, checkMethodOptions, invalidTool, publicMethod } from './class-tools.ts'
import type { InputOption, MethodName, MethodSettings } from './method-options.ts'
import type { UntypedOptions } from './tool.ts'
import type { HasClassTools } from './tool-source.ts'

/** The tool options of each method that is a tool. */
export type MethodTools<T> = {
  readonly [Name in MethodName<T>]?: MethodSettings<T[Name]> & InputOption<T[Name]>
}

/** The value of `static tools` in a class. */
export interface DefinedTools extends HasClassTools {
  /** The method names, in their order. */
  readonly methods: readonly string[]
}

/**
 * Makes methods of a class tools; stands in it as `static tools`. The options are those of `@Tool()`, and
 * must fit the methods. Then pass an instance to `.tools()`. A subclass may have `static tools` of its own:
 * they are added, and replace those of the same method.
 *
 * Models choose a tool by its description: without one they only have the name, in words.
 *
 * @example
 * class AlarmTools {
 *   static tools = defineTools<AlarmTools>({
 *     setAlarm: { description: 'Set an alarm', input: z.object({ time: z.iso.datetime() }) },
 *   })
 *   setAlarm({ time }: { time: string }): string {
 *     return `Alarm set for ${time}`
 *   }
 * }
 */
export function defineTools<T extends object = never>(
  tools: [T] extends [never] ? 'Name the class: defineTools<AlarmTools>({ ... })' : MethodTools<T>,
): DefinedTools {
  checkOptions('defineTools()', tools ?? null, Object.keys(Object(tools) as object))
  const entries = Object.entries(tools as { readonly [name: string]: UntypedOptions })
  if (entries.length === 0) throw invalidTool('defineTools() names no method.')
  const defined: DefinedTools = { methods: entries.map(([name]) => name) }
  for (const [name, options] of entries) {
    checkMethodOptions(`${name} of defineTools`, options)
    addToolMethod(defined, publicMethod(name, options))
  }
  return defined
}
