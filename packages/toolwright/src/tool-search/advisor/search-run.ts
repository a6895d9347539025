/**
 * One run with tool search: what each round offers the model, how its searches are answered, and how a call
 * of a tool that it has not seen is answered.
 */
import type { AdvisedRequest } from '../../loop/advisor.ts'
import type { LoopState } from '../../loop/tool-calling-options.ts'
import { ConfigurationError } from '../../errors/errors.ts'
import { didYouMean } from '../../internal/nearest-names.ts'
import { messageOfThrown } from '../../errors/message-of-thrown.ts'
import { notice } from '../../errors/notices.ts'
import { redact } from '../../errors/redact.ts'
import { nearestNames } from '../../internal/nearest-names.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { Message, ToolCall, ToolResponse } from '../../messages/message.ts'
import { toolCallsOf } from '../../messages/reading.ts'
import type { RunState } from '../../messages/run-state.ts'
import { shorten } from '../../schema/describe-value.ts'
import type { Prompt } from '../../model/chat-model.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolSearchResult } from '../tool-index.ts'
import { DisclosedTools, foundIn } from './disclosed-tools.ts'
import type { SearchSessions, ToolSet } from './search-sessions.ts'
import type { SearchSettings } from './search-settings.ts'
import { SEARCH_TOOL, searchTool, type SearchAnswer, type SearchInput } from './search-tool.ts'

export interface SearchRunKit {
  readonly settings: SearchSettings
  readonly sessions: SearchSessions
  readonly session: string
  readonly request: AdvisedRequest
  /** Every tool of the request. */
  readonly candidates: ReadonlyMap<string, ToolCallback>
  /** The tools that are not always offered. */
  readonly hidden: ToolSet
}

export class SearchRun {
  readonly #kit: SearchRunKit
  readonly #disclosed: DisclosedTools
  readonly #always: readonly ToolCallback[]
  readonly #notices: string[] = []
  #round = 1

  constructor(kit: SearchRunKit) {
    const { settings, candidates, hidden, request } = kit
    if (candidates.has(SEARCH_TOOL))
      throw new ConfigurationError('duplicate-tool', `Two tools are called "${SEARCH_TOOL}".`)
    this.#kit = kit
    const findable = [...candidates].filter(([name]) => hidden.contents.has(name))
    this.#disclosed = new DisclosedTools(settings, new Map(findable), request.context)
    const alwaysOffered = [...candidates.values()].filter(
      ({ definition }) => !hidden.contents.has(definition.name),
    )
    this.#always = [searchTool((input) => this.#search(input)), ...alwaysOffered]
    for (const name of settings.pinned)
      if (!candidates.has(name))
        this.#notices.push(
          `"${name}" is pinned, but not among the tools of this request.${didYouMean(name, candidates.keys())} pinned takes names of tools that are offered.`,
        )
  }

  async start(): Promise<void> {
    const { sessions, session, hidden, request } = this.#kit
    if (request.phase === 'start') {
      const { messages, options } = request.prompt
      this.#disclosed.addEarlier(sessions.found(session), messages)
      const { toolChoice } = options ?? {}
      // A tool that the model is forced to call must be offered.
      if (typeof toolChoice === 'object') this.#disclosed.add([toolChoice.tool], 0)
    }
    // A failure here is retried by the first search, which reports it to the model.
    await sessions
      .prepare(session, hidden)
      .catch((thrown: unknown) => this.#notices.push(`Indexing failed: ${inWords(thrown)}`))
  }

  /** Prepares the round's request: it offers the tools found so far. */
  beforeRound(request: AdvisedRequest, state: LoopState): AdvisedRequest {
    const { prompt, round, resume } = request
    if (!resume) this.#disclose(foundIn(state.messages.at(-1)), round - 1)
    this.#round = round
    const found = resume ? this.#offeredBefore(resume.state) : this.#disclosed.tools
    const tools = [...this.#always, ...found]
    return {
      ...request,
      prompt: {
        ...prompt,
        messages: withSuffix(prompt.messages, this.#kit.settings.systemSuffix),
        options: { ...prompt.options, tools },
      },
    }
  }

  /** What the suspended round offered. Searches of that round may have replaced it since. */
  #offeredBefore({ tools }: RunState): readonly ToolCallback[] {
    const { candidates, hidden } = this.#kit
    const names = Object.keys(tools).filter((name) => hidden.contents.has(name))
    return names.flatMap((name) => candidates.get(name) ?? [])
  }

  /**
   * Answers calls of tools that were not offered with their definitions, and offers them in the next round.
   */
  answerUnseen(
    { options }: Prompt,
    { results }: ChatResponse,
    answered: readonly ToolResponse[],
  ): readonly ToolResponse[] {
    const generation = results.find((each) => toolCallsOf(each).length > 0)
    if (
      !generation ||
      options?.toolChoice === 'none' ||
      CUT_REASONS.includes(generation.finishReason)
    )
      return []
    const offered = new Set((options?.tools as readonly ToolCallback[]).map(nameOf))
    const { candidates } = this.#kit
    const unseen = toolCallsOf(generation).filter(
      ({ id, name }) =>
        candidates.has(name) &&
        !offered.has(name) &&
        !answered.some((response) => response.id === id),
    )
    this.#disclose(
      unseen.map(({ name }) => name),
      this.#round,
    )
    return unseen.map((call) => definitionAnswer(call, candidates.get(call.name)!))
  }

  /** Returns the notices that have not been taken yet. */
  takeNotices(): readonly ChatEvent[] {
    const { runId } = this.#kit.request
    return this.#notices.splice(0).map((message) => ({
      ...notice('tool-search', message),
      runId,
      round: this.#round,
    }))
  }

  #disclose(names: readonly string[], round: number): void {
    if (names.length === 0) return
    const { sessions, session } = this.#kit
    this.#disclosed.add(names, round)
    sessions.remember(session, this.#disclosed.names)
  }

  async #search({ queries, maxResults }: SearchInput): Promise<SearchAnswer> {
    const { settings } = this.#kit
    const most = Math.min(maxResults ?? settings.maxResults, settings.maxResultsCap)
    const results = await Promise.all(queries.map((query) => this.#ask(query, most)))
    for (const result of results) if (result.notice) this.#notices.push(result.notice)
    const found = interleaved(results.map(({ references }) => references.map(({ name }) => name)))
    const tools = this.#disclosed.affordable(found)
    this.#disclose(tools, this.#round)
    const empty = queries.filter((_query, index) => results[index]!.references.length === 0)
    const tooLarge = found.filter((name) => !tools.includes(name))
    return {
      tools,
      ...(empty.length > 0 && {
        nothingFor: empty.map((query) => shorten(query)),
        try: this.#advice(empty),
      }),
      ...(tooLarge.length > 0 && {
        tooLargeToOffer: tooLarge,
        hint: 'Search for one of them alone.',
      }),
    }
  }

  /** Returns only tools of this run: a custom index may still return removed ones. */
  async #ask(query: string, maxResults: number): Promise<ToolSearchResult> {
    const { sessions, session, candidates, hidden } = this.#kit
    const result = await sessions.search(hidden, { session, query, maxResults })
    const references = result.references
      .filter(({ name }) => candidates.has(name))
      .slice(0, maxResults)
    return { ...result, references }
  }

  #advice(queries: readonly string[]): string {
    const names = [...this.#kit.hidden.contents.keys()]
    const near = queries.flatMap((query) => nearestNames(query, names))
    const hint = near.length > 0 ? ` Names that look alike: ${near.slice(0, 3).join(', ')}.` : ''
    return `Search again in other words: one capability per query, as a verb and its object, e.g. "send an email".${hint} If that finds nothing either, there is no such tool.`
  }
}

/** Finish reasons of answers whose calls may be incomplete. */
const CUT_REASONS: readonly string[] = ['length', 'content-filter']

const nameOf = ({ definition }: ToolCallback): string => definition.name
const inWords = (thrown: unknown): string => redact(messageOfThrown(thrown))

/** Interleaves the lists, best of each first, so that no query crowds out another. */
function interleaved(lists: readonly (readonly string[])[]): readonly string[] {
  const longest = Math.max(...lists.map((list) => list.length))
  const ranks = Array.from({ length: longest }, (_none, rank) => rank)
  return [...new Set(ranks.flatMap((rank) => lists.flatMap((list) => list[rank] ?? [])))]
}

function definitionAnswer({ id, name }: ToolCall, { definition }: ToolCallback): ToolResponse {
  const { description, inputSchema } = definition
  const definitionJson = JSON.stringify({ name, description, inputSchema })
  const content = `Not run: you had not seen this tool's definition. It can be called from your next turn on: ${definitionJson}`
  return { id, name, content, isError: true }
}

/**
 * Appends the suffix to the first system message. It is the same in every round, so that provider caches
 * hold.
 */
function withSuffix(messages: readonly Message[], suffix: string): readonly Message[] {
  if (suffix === '') return messages
  const at = messages.findIndex(({ role }) => role === 'system')
  const system = messages[at]
  if (system?.role !== 'system') return [{ role: 'system', content: suffix }, ...messages]
  return messages.with(at, { ...system, content: `${system.content}\n\n${suffix}` })
}
