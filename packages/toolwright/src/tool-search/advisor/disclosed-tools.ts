/**
 * The tools a run has found so far, in the order in which it found them: new ones come last, so that what
 * the model was sent before stays as it was. Kept in the run's context, so that a suspended run knows them.
 */
import type { AdvisedRequest } from '../../loop/advisor.ts'
import type { Message } from '../../messages/message.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import { toolTokens } from '../tool-tokens.ts'
import { namesIn, SEARCH_TOOL } from './search-tool.ts'
import type { SearchSettings } from './search-settings.ts'

const CONTEXT_KEY = 'toolSearch'
/** Rounds count from 1; what was before the run counts down. */
const BEFORE = -1

export class DisclosedTools {
  readonly #settings: SearchSettings
  readonly #candidates: ReadonlyMap<string, ToolCallback>
  readonly #context: AdvisedRequest['context']
  /** The round whose searches are under way. */
  #round = 0

  /** @param candidates the tools that are not offered anyway */
  constructor(
    settings: SearchSettings,
    candidates: ReadonlyMap<string, ToolCallback>,
    context: AdvisedRequest['context'],
  ) {
    this.#settings = settings
    this.#candidates = candidates
    this.#context = context
  }

  get names(): readonly string[] {
    const held = this.#context[CONTEXT_KEY]
    return Array.isArray(held) ? (held as readonly string[]) : []
  }

  get tools(): readonly ToolCallback[] {
    // A suspended run may have found what is no longer there.
    return this.names.flatMap((name) => this.#candidates.get(name) ?? [])
  }

  /** Names that this run does not have are ignored; the earliest make room for the newest. */
  add(names: readonly string[], round: number): void {
    const isNewSearch = round !== this.#round && names.length > 0
    if (isNewSearch) this.#round = round
    const earlier = isNewSearch && !this.#settings.accumulate ? [] : this.names
    const known = names.filter((name) => this.#candidates.has(name))
    this.#context[CONTEXT_KEY] = [...this.#fitting([...new Set([...earlier, ...known])])]
  }

  /** What a session had found, or, where nobody remembers, what the conversation shows was found. */
  addEarlier(found: readonly string[], messages: readonly Message[]): void {
    if (found.length > 0) return this.add(found, BEFORE)
    messages.forEach((message, index) => this.add(foundIn(message), BEFORE - index))
  }

  /** Of these, in order of worth, the ones that can be offered at all; the others are too large together. */
  affordable(names: readonly string[]): readonly string[] {
    let left = this.#settings.maxDisclosedTokens
    return names.filter((name) => {
      const cost = this.#costOf(name)
      if (cost > left) return false
      left -= cost
      return true
    })
  }

  /** Dropped from the front, the longest known. */
  #fitting(names: readonly string[]): readonly string[] {
    if (this.#settings.maxDisclosedTokens === Infinity) return names
    return this.affordable(names.toReversed()).toReversed()
  }

  #costOf(name: string): number {
    if (this.#settings.maxDisclosedTokens === Infinity) return 0
    const { tokenizer } = this.#settings
    const definitions = this.#candidates.has(name) ? [this.#candidates.get(name)!.definition] : []
    return toolTokens(definitions, tokenizer ? { tokenizer } : {})
  }
}

/** What the searches answered in this message have found. */
export const foundIn = (message: Message | undefined): readonly string[] =>
  message?.role === 'tool'
    ? message.responses.flatMap(({ name, content }) =>
        name === SEARCH_TOOL ? namesIn(content) : [],
      )
    : []
