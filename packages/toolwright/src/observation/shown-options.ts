/** What of a request's options is shown to observers. */
import type { ObservedDefinition } from './observer.ts'

export interface ShownOptions {
  readonly toolNames: readonly string[]
  readonly options: { readonly [name: string]: unknown }
}

/** Keeps what was shown last: the rounds of a run mostly have the same options, and nearly always the same tools. */
export class OptionsShown {
  #tools: unknown
  #toolNames: readonly string[] = []
  #given: object | undefined
  #defaults: object | undefined
  #shown: ShownOptions | undefined

  toolNames(given: object = NO_OPTIONS): readonly string[] {
    const { tools = NO_TOOLS } = given as { readonly tools?: readonly Named[] }
    if (tools !== this.#tools) {
      this.#tools = tools
      // The client has made callbacks of all tools.
      this.#toolNames = tools.map((tool) => tool.definition.name)
    }
    return this.#toolNames
  }

  /** Without the tools and their context. `defaults`: the model's own, for what the request leaves open. */
  of(given: object = NO_OPTIONS, defaults: object = NO_OPTIONS): ShownOptions {
    if (this.#shown === undefined || given !== this.#given || defaults !== this.#defaults) {
      const options: { [name: string]: unknown } = {}
      for (const each of [defaults, given])
        for (const [name, value] of Object.entries(each))
          if (value !== undefined && !HIDDEN.has(name)) options[name] = value
      this.#given = given
      this.#defaults = defaults
      this.#shown = { toolNames: this.toolNames(given), options }
    }
    return this.#shown
  }
}

const HIDDEN: ReadonlySet<string> = new Set(['tools', 'toolNames', 'toolContext'])

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
