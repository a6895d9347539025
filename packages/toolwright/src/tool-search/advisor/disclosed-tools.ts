/**
 * The tools that a run has found so far, in the order of finding. New ones come last, so that the earlier
 * part of the request stays the same. The names are part of the run's context, so a suspended run keeps
 * them.
 */
import type { AdvisedRequest } from '../../loop/advisor.ts'
import type { Message } from '../../messages/message.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import { toolTokens } from '../tool-tokens.ts'
import { namesIn, SEARCH_TOOL } from './search-tool.ts'
import type { SearchSettings } from './search-settings.ts'

const CONTEXT_KEY = 'toolSearch'
/** The round of tools that were found before the run; rounds of the run count from 1. */
const BEFORE = -1

export class DisclosedTools {
  readonly #settings: SearchSettings
  readonly #candidates: ReadonlyMap<string, ToolCallback>
  readonly #context: AdvisedRequest['context']
  /** The round whose searches are running. */
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
    const stored = this.#context[CONTEXT_KEY]
    return Array.isArray(stored) ? (stored as readonly string[]) : []
  }

  get tools(): readonly ToolCallback[] {
    // A resumed run may have found tools that no longer exist.
    return this.names.flatMap((name) => this.#candidates.get(name) ?? [])
  }

  /**
   * Adds tools. Names that the run does not have are ignored; if the budget is spent, the earliest tools
   * are dropped.
   */
  add(names: readonly string[], round: number): void {
    const isNewSearch = round !== this.#round && names.length > 0
    if (isNewSearch) this.#round = round
    const earlier = isNewSearch && !this.#settings.accumulate ? [] : this.names
    const candidates = names.filter((name) => this.#candidates.has(name))
    this.#context[CONTEXT_KEY] = [...this.#fitting([...new Set([...earlier, ...candidates])])]
  }

  /** Adds what the session found earlier or, if no session remembers, what the conversation shows. */
  addEarlier(found: readonly string[], messages: readonly Message[]): void {
    if (found.length > 0) return this.add(found, BEFORE)
    messages.forEach((message, index) => this.add(foundIn(message), BEFORE - index))
  }

  /** The names that fit into the budget, in the given order of relevance. */
  affordable(names: readonly string[]): readonly string[] {
    let remainingTokens = this.#settings.maxDisclosedTokens
    return names.filter((name) => {
      const cost = this.#costOf(name)
      if (cost > remainingTokens) return false
      remainingTokens -= cost
      return true
    })
  }

  /** Drops the earliest names until the rest fits the budget. */
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

/** The names that the searches in this message found. */
export const foundIn = (message: Message | undefined): readonly string[] =>
  message?.role === 'tool'
    ? message.responses.flatMap(({ name, content }) =>
        name === SEARCH_TOOL ? namesIn(content) : [],
      )
    : []
