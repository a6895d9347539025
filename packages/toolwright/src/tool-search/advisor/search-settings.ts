/** The options of the advisor, normalised once. */
import type { ToolCallingAdvisorOptions } from '../../loop/tool-calling-options.ts'
import { TOOL_CALLING_OPTIONS } from '../../loop/tool-calling-options.ts'
import { ConfigurationError } from '../../errors/errors.ts'
import { checkLimit, checkOptions } from '../../internal/check-options.ts'
import { describeValue } from '../../schema/describe-value.ts'
import { pick } from '../../tools/pick.ts'
import { lru, type EvictionStrategy } from '../eviction.ts'
import type { ToolIndex } from '../tool-index.ts'
import { SEARCH_TOOL } from './search-tool.ts'

export interface ToolSearchAdvisorOptions extends ToolCallingAdvisorOptions {
  /** Finds tools by what they do, e.g. `keywordToolIndex()`. */
  readonly index: ToolIndex
  /** Tools per query if the model does not say how many. Default 5. */
  readonly maxResults?: number
  /** The highest number that the model may ask for per query. Default 20. */
  readonly maxResultsCap?: number
  /** Names of tools that are always offered. */
  readonly pinned?: readonly string[]
  /**
   * Text at the end of the system message; it tells the model that there are more tools. The empty string
   * omits it.
   */
  readonly systemSuffix?: string
  /** False: only the tools of the latest search are offered. Default true. */
  readonly accumulate?: boolean
  /** The key of the request parameter that names the session. Default `conversation`. */
  readonly sessionKey?: string
  /** Default `lru(1000)`. */
  readonly eviction?: EvictionStrategy
  /**
   * The most tokens that found tools may cost per request; the earliest found are dropped first. Default:
   * no limit.
   */
  readonly maxDisclosedTokens?: number | 'unlimited'
  /** Counts the tokens of a text. Default: an estimate. */
  readonly tokenizer?: (text: string) => number
}

export interface SearchSettings {
  readonly index: ToolIndex
  readonly maxResults: number
  readonly maxResultsCap: number
  readonly pinned: ReadonlySet<string>
  readonly systemSuffix: string
  readonly accumulate: boolean
  readonly sessionKey: string
  readonly eviction: EvictionStrategy
  readonly maxDisclosedTokens: number
  readonly tokenizer: ((text: string) => number) | undefined
  readonly loop: ToolCallingAdvisorOptions
}

const OWN_OPTIONS = [
  'index', 'maxResults', 'maxResultsCap', 'pinned', 'systemSuffix', 'accumulate', 'sessionKey', 'eviction',
  'maxDisclosedTokens', 'tokenizer',
] as const satisfies readonly (keyof ToolSearchAdvisorOptions)[] // prettier-ignore

const SUFFIX = `There are more tools than you see. Find them with ${SEARCH_TOOL} before you say that you cannot do something.`

export function searchSettings(options: ToolSearchAdvisorOptions): SearchSettings {
  checkOptions('toolSearchAdvisor()', options, [...OWN_OPTIONS, ...TOOL_CALLING_OPTIONS])
  const {
    index,
    maxResults = 5,
    maxResultsCap = 20,
    maxDisclosedTokens = 'unlimited',
  } = options ?? {}
  if (typeof index?.search !== 'function')
    throw new ConfigurationError(
      'invalid-option',
      'toolSearchAdvisor() needs an index, e.g. keywordToolIndex().',
    )
  const { pinned = [] } = options
  if (!Array.isArray(pinned) || !pinned.every((name) => typeof name === 'string'))
    throw new ConfigurationError(
      'invalid-option',
      `toolSearchAdvisor().pinned is ${describeValue(pinned)}; it takes a list of tool names: pinned: ['weather'].`,
    )
  for (const [key, value] of Object.entries({ maxResults, maxResultsCap, maxDisclosedTokens }))
    checkLimit(`toolSearchAdvisor().${key}`, value)
  return {
    index,
    maxResults,
    maxResultsCap,
    maxDisclosedTokens: maxDisclosedTokens === 'unlimited' ? Infinity : maxDisclosedTokens,
    pinned: new Set(pinned),
    systemSuffix: options.systemSuffix ?? SUFFIX,
    accumulate: options.accumulate ?? true,
    sessionKey: options.sessionKey ?? 'conversation',
    eviction: options.eviction ?? lru(1000),
    tokenizer: options.tokenizer,
    loop: pick(options, TOOL_CALLING_OPTIONS),
  }
}
