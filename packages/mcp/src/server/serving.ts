/** What every request to a server shares: its options, normalised once, and what it keeps between requests. */
import { checkOptions } from 'toolwright'
import type { ToolListing, ToolSource } from 'toolwright'
import { CallGate } from './call-gate.ts'
import { invalid } from './invalid-option.ts'
import { promptsByName, type Prompts } from './prompt-list.ts'
import { requestStates, type RequestStates } from './request-state.ts'
import { resourceList, type ResourceList } from './resource-list.ts'
import { signer, type Sign } from './sealing.ts'
import type { Listed, ServeToolsOptions } from './serve-tools-options.ts'
import { Tasks } from './tasks.ts'
import { waitingRuns, type KeepingStore } from './waiting-runs.ts'

export interface Serving {
  readonly sources: ToolSource
  readonly options: ServeToolsOptions
  readonly runStore: KeepingStore
  readonly states: RequestStates
  readonly sign: Sign
  readonly gate: CallGate
  readonly tasks: Tasks
  prompts(): Promise<Prompts>
  resources(): Promise<ResourceList>
  now(): number
}

const HOUR = 3_600_000

export function servingOf(sources: ToolSource, options: ServeToolsOptions): Serving {
  checkServeOptions(options)
  const { clock, stateSecret, stateTtlMs = 24 * HOUR, taskTtlMs = HOUR } = options
  const now = (): number => clock?.now() ?? Date.now()
  const sign = signer(stateSecret)
  return {
    sources,
    options,
    runStore: waitingRuns(options.runStore),
    states: requestStates({ sign, ttlMs: stateTtlMs, now }),
    sign,
    gate: new CallGate(options.maxConcurrentCalls ?? 256),
    tasks: new Tasks({ ttlMs: taskTtlMs, now }),
    prompts: reader(options.prompts ?? [], promptsByName),
    resources: reader(options.resources ?? [], resourceList),
    now,
  }
}

/** Asks providers for their tools on behalf of one request. What they leave out is for the log. */
export const listingOf = ({ options }: Serving, signal: AbortSignal): ToolListing => ({
  signal,
  notice: (code, message) => options.logger?.warn(`MCP: ${message}`, { code }),
})

/** A list that does not change is checked when the server is made, another one whenever it is asked for. */
function reader<Item, Read>(
  listed: Listed<Item>,
  read: (items: readonly Item[]) => Read,
): () => Promise<Read> {
  if (typeof listed === 'function') return async () => read(await listed())
  const items = read(listed)
  return async () => items
}

const NUMBERS = [
  'stateTtlMs',
  'listTtlMs',
  'taskAfterMs',
  'taskTtlMs',
  'maxConcurrentCalls',
  'maxSessions',
  'sessionIdleMs',
  'maxBodyBytes',
  'maxContentBytes',
] as const

const OPTIONS: readonly string[] = [
  'name', 'version', 'title', 'instructions', 'auth', 'allowedHosts', 'allowedOrigins', 'stateSecret', 'runStore',
  'toolContext', 'inTrace', 'prompts', 'resources', 'tasks', 'limits', 'clock', 'ids', 'random', 'observer', 'logger', 'durability',
  'policy', 'exceptionProcessor', ...NUMBERS,
] // prettier-ignore

function checkServeOptions(options: ServeToolsOptions): void {
  checkOptions('serveTools()', options ?? null, OPTIONS)
  const { name, version, stateSecret, auth, inTrace } = options ?? {}
  if (!isText(name) || !isText(version))
    throw invalid('serveTools() takes the name and the version of the server, as texts.')
  if (stateSecret !== undefined && !(typeof stateSecret === 'string' && stateSecret.length >= 16))
    throw invalid(
      'stateSecret is a text of at least 16 characters, e.g. of `openssl rand -base64 32`.',
    )
  if (auth && 'token' in auth && !isText(auth.token))
    throw invalid('auth.token is empty: everybody would be let in.')
  if (inTrace !== undefined && typeof inTrace !== 'function')
    throw invalid('inTrace is a function: (trace, run) => run().')
  for (const key of NUMBERS) {
    const value = options[key]
    if (value !== undefined && !(typeof value === 'number' && value >= 0))
      throw invalid(`${key} is a number of at least 0.`)
  }
}

const isText = (x: unknown): boolean => typeof x === 'string' && x.trim() !== ''
