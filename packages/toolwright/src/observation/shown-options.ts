/** What of a request's options is shown to observers. */
import type { ObservedDefinition } from './observer.ts'

export interface ShownOptions {
  readonly toolNames: readonly string[]
  readonly options: { readonly [name: string]: unknown }
}

/** Keeps what was shown last: the rounds of a run mostly have the same options. */
export class OptionsShown {
  #given: object | undefined
  #defaults: object | undefined
  #shown: ShownOptions | undefined

  /** Without the tools and their context. `defaults`: the model's own, for what the request leaves open. */
  of(given: object = NO_OPTIONS, defaults: object = NO_OPTIONS): ShownOptions {
    if (this.#shown === undefined || given !== this.#given || defaults !== this.#defaults) {
      const options: { [name: string]: unknown } = {}
      show(defaults, options)
      show(given, options)
      this.#given = given
      this.#defaults = defaults
      this.#shown = { toolNames: offeredIn(given).toolNames, options }
    }
    return this.#shown
  }
}

function show(given: object, options: { [name: string]: unknown }): void {
  for (const name of Object.keys(given)) {
    if (HIDDEN.has(name)) continue
    const value = (given as { readonly [name: string]: unknown })[name]
    if (value !== undefined) options[name] = value
  }
}

const HIDDEN: ReadonlySet<string> = new Set(['tools', 'toolNames', 'toolContext'])

/** The names of the tools offered. */
export interface OfferedNames {
  readonly toolNames: readonly string[]
  /** Those that not every provider takes, if there are any. */
  readonly oddNames: readonly string[] | undefined
}

/** Looked at once: nearly all runs of a client offer the same list. */
export function offeredIn(given: object = NO_OPTIONS): OfferedNames {
  const { tools = NO_TOOLS } = given as { readonly tools?: readonly Named[] }
  const known = offered.get(tools)
  if (known && known.toolNames.length === tools.length) return known
  // The client has made callbacks of all tools.
  const toolNames = tools.map((tool) => tool.definition.name)
  const odd = toolNames.filter((each) => !PORTABLE_NAME.test(each))
  const names: OfferedNames = { toolNames, oddNames: odd.length > 0 ? odd : undefined }
  offered.set(tools, names)
  return names
}

const offered = new WeakMap<readonly Named[], OfferedNames>()
/** Names that every provider takes. */
const PORTABLE_NAME = /^[\w-]{1,64}$/

/** The tools offered, as the model is told of them. */
export const definitionsIn = (given: object = NO_OPTIONS): readonly Named['definition'][] =>
  ((given as { readonly tools?: readonly Named[] }).tools ?? NO_TOOLS).map(
    ({ definition }) => definition,
  )

interface Named {
  readonly definition: ObservedDefinition
}

const NO_OPTIONS = {}
const NO_TOOLS: readonly Named[] = []
