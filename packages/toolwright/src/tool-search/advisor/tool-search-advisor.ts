/**
 * The tool-calling advisor with a search tool. The model first sees that tool and the pinned ones; what it
 * finds is offered from the next round on. Of a model that can defer tools itself, that is asked instead.
 */
import { askedCapabilities } from '../../model/asked-capabilities.ts'
import type { AdvisedRequest, AdvisedResponse, NextAdvisor } from '../../loop/advisor.ts'
import { toolCallingAdvisor, type ToolCallingAdvisor } from '../../loop/tool-calling-advisor.ts'
import type { ToolCallingAdvisorOptions } from '../../loop/tool-calling-options.ts'
import { canonicalJson } from '../../internal/canonical-json.ts'
import { toolCallsOf } from '../../messages/reading.ts'
import { systemClock } from '../../ports/clock.ts'
import {
  definitionsOf,
  toolCallingManager,
} from '../../tool-calling/default-tool-calling-manager.ts'
import type { ToolCallingManager } from '../../tool-calling/tool-calling-manager.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolReference } from '../tool-index.ts'
import { SearchRun } from './search-run.ts'
import { SearchSessions, toolSetOf, type ToolSet } from './search-sessions.ts'
import {
  searchSettings,
  type SearchSettings,
  type ToolSearchAdvisorOptions,
} from './search-settings.ts'

export interface ToolSearchAdvisor extends ToolCallingAdvisor {
  /** Removes what is indexed and what was found for a session, e.g. at logout. */
  evictSession(session: unknown): Promise<void>
}

/**
 * Offers thousands of tools through one search tool. Use it instead of the tool-calling advisor.
 *
 * @example
 * const client = ChatClient.create(model, {
 *   tools: [everything],
 *   advisors: [toolSearchAdvisor({ index: keywordToolIndex() })],
 * })
 */
export function toolSearchAdvisor(options: ToolSearchAdvisorOptions): ToolSearchAdvisor {
  const settings = searchSettings(options)
  const sessions = new SearchSessions(settings.index, settings.eviction)
  const hiddenOf = hiddenTools(settings)
  const make = (loop: ToolCallingAdvisorOptions): ToolSearchAdvisor => {
    const plain = toolCallingAdvisor(loop)
    const manager = loop.manager ?? toolCallingManager()
    return {
      ...plain,
      name: 'tool-search',
      withManager: (other) => make({ ...loop, manager: other }),
      evictSession: (session) => sessions.evict(sessionName(session)),
      advise(request, next) {
        const hidden = hiddenOf(request)
        if (hidden.contents.size === 0) return plain.advise(request, next)
        if (askedCapabilities(request.model, request.prompt.options).nativeToolSearch)
          return plain.advise(deferring(request, hidden), next)
        return searchLoop({ settings, sessions, loop, manager, hidden }, { request, next })
      },
    }
  }
  return make(settings.loop)
}

interface SearchLoop {
  readonly settings: SearchSettings
  readonly sessions: SearchSessions
  readonly loop: ToolCallingAdvisorOptions
  readonly manager: ToolCallingManager
  readonly hidden: ToolSet
}

/** The loop itself is the tool-calling advisor's; this run's search steps in where it lets others in. */
async function searchLoop(
  { settings, sessions, loop, manager, hidden }: SearchLoop,
  { request, next }: { readonly request: AdvisedRequest; readonly next: NextAdvisor },
): Promise<AdvisedResponse> {
  const given = request.params[settings.sessionKey]
  const session = given === undefined ? `run ${request.runId}` : sessionName(given)
  if (given !== undefined)
    await sessions.enter(session, (manager.settings?.clock ?? systemClock).now())
  const candidates = new Map(toolsOf(request).map((tool) => [tool.definition.name, tool]))
  const run = new SearchRun({ settings, sessions, session, request, candidates, hidden })
  try {
    await run.start()
    for (const event of run.takeNotices()) request.emit(event)
    return await toolCallingAdvisor({
      ...loop,
      manager: answeringUnseen(manager, run),
      async beforeRound(round, state) {
        const own = run.beforeRound(round, state)
        return (await loop.beforeRound?.(own, state)) ?? own
      },
    }).advise(request, next)
  } finally {
    await sessions.leave(session)
  }
}

/** A manager that tells a model of tools it guessed the names of, instead of that there are none. */
const answeringUnseen = (manager: ToolCallingManager, run: SearchRun): ToolCallingManager => ({
  ...(manager.settings && { settings: manager.settings }),
  resolveToolDefinitions: definitionsOf(manager),
  async executeToolCalls(prompt, response, execution = {}) {
    const { answered = [], emit } = execution
    const unseen = run.answerUnseen(prompt, response, answered)
    const calls = toolCallsOf(response)
    for (const answer of unseen)
      emit?.({
        type: 'tool-result',
        toolCall: calls.find(({ id }) => id === answer.id)!,
        response: answer,
      })
    const result = await manager.executeToolCalls(prompt, response, {
      ...execution,
      answered: [...answered, ...unseen],
    })
    for (const notice of run.takeNotices()) emit?.(notice)
    return result
  },
})

const toolsOf = ({ prompt }: AdvisedRequest): readonly ToolCallback[] =>
  (prompt.options?.tools ?? []) as readonly ToolCallback[]

/**
 * All tools except the pinned ones. Clients pass the same list again and again, so the result is cached per
 * list.
 */
function hiddenTools({ pinned }: SearchSettings): (request: AdvisedRequest) => ToolSet {
  const setsByList = new WeakMap<
    readonly ToolCallback[],
    { readonly length: number; readonly set: ToolSet }
  >()
  return (request) => {
    const tools = toolsOf(request)
    const cached = setsByList.get(tools)
    // The list is read-only here, but its owner may still push to it.
    if (cached?.length === tools.length) return cached.set
    const definitions = tools.map(({ definition }): ToolReference => definition)
    const set = toolSetOf(definitions.filter(({ name }) => !pinned.has(name)))
    setsByList.set(tools, { length: tools.length, set })
    return set
  }
}

/** The provider searches: it gets every definition, and is told which to hold back. */
const deferring = (request: AdvisedRequest, { contents }: ToolSet): AdvisedRequest => ({
  ...request,
  prompt: {
    ...request.prompt,
    options: { ...request.prompt.options, deferredTools: [...contents.keys()] },
  },
})

/** The name of a session: a string names itself, a conversation is named by tenant and id. */
const sessionName = (session: unknown): string =>
  typeof session === 'string' ? session : `key ${canonicalJson(session)}`
