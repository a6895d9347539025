/**
 * Makes a server of the SDK: one for each request over HTTP, each session of the older protocol, and each connection
 * over stdio. None is shared by two clients. The low-level class: our own checks are the only ones.
 */
import type {
  Result,
  Server,
  ServerCapabilities,
  ServerOptions,
  StandardSchemaV1,
} from '@modelcontextprotocol/server'
import type { Given } from './ask-client.ts'
import { callTool } from './call-tool.ts'
import { addCompletions } from './completions.ts'
import { guarded } from './guarded.ts'
import { pageOf } from './page.ts'
import {
  peerOf,
  takesTasks,
  TASKS_EXTENSION,
  withoutTasks,
  type Peer,
  type PeerOf,
} from './peer.ts'
import { addPrompts } from './prompts.ts'
import { addResources } from './resources.ts'
import type { Sdk } from './sdk.ts'
import { listingOf, type Serving } from './serving.ts'
import { SESSION_IDLE_MS } from './sessions.ts'
import { addSubscriptions } from './subscriptions.ts'
import { hasTaskRules } from './task-rule.ts'
import { servedTools, toListedTool, type Era } from './tool-list.ts'

/** Questions that a client of the older protocol may be asked during one call. Wrong answers end it sooner. */
const MOST_ROUNDS = 64

export function buildServer(sdk: Sdk, serving: Serving, era: Era): Server {
  const { name, version, title, instructions, listTtlMs = 60_000 } = serving.options
  const server = new sdk.Server(
    { name, version, ...(title !== undefined && { title }) },
    {
      capabilities: capabilitiesOf(serving, era),
      ...(instructions !== undefined && { instructions }),
      cacheHints: cacheHints(listTtlMs),
      inputRequired: { maxRounds: MOST_ROUNDS, roundTimeoutMs: waitMs(serving) },
    },
  )
  const peer: PeerOf = (context) => peerOf(era, context, server)
  server.setRequestHandler('tools/list', ({ params }, { mcpReq }) =>
    guarded(serving, async () => {
      const tools = await servedTools(serving.sources, listingOf(serving, mcpReq.signal))
      const { items, next } = pageOf([...tools.values()], ({ name }) => name, params?.cursor)
      return { tools: items.map((tool) => toListedTool(tool, era)), ...next }
    }),
  )
  server.setRequestHandler('tools/call', ({ params }, context) =>
    guarded(serving, async () => {
      const answer = await callTool(serving, params, peer(context))
      // A task is a result of its own kind, which the SDK has no type for.
      return answer as Exclude<typeof answer, { resultType: 'task' }>
    }),
  )
  addOffers(server, serving, { era, peer })
  return server
}

interface Connected {
  readonly era: Era
  readonly peer: PeerOf
}

/** What a server has besides tools, as far as its options say so. */
function addOffers(server: Server, serving: Serving, { era, peer }: Connected): void {
  const { prompts, resources } = serving.options
  if (prompts) addPrompts(server, serving, peer)
  if (resources) addResources(server, serving, peer)
  if (resources && era === 'legacy') addSubscriptions(server, serving)
  if (prompts || resources) addCompletions(server, serving, peer)
  if (hasTasks(serving, era)) addTasks(server, serving, peer)
}

/** Lists may depend on who asks, so that clients may not give them to others. What was read is not kept, unless it says so. */
const cacheHints = (ttlMs: number): NonNullable<ServerOptions['cacheHints']> => {
  const list = { ttlMs, cacheScope: 'private' } as const
  return {
    'tools/list': list,
    'prompts/list': list,
    'resources/list': list,
    'resources/templates/list': list,
    'server/discover': list,
    'resources/read': { ttlMs: 0, cacheScope: 'private' },
  }
}

/** A call of the older protocol is held open while a person is asked: no longer than its session lasts. */
const waitMs = ({ options }: Serving): number =>
  Math.max(1, Math.min(options.stateTtlMs ?? Infinity, options.sessionIdleMs ?? SESSION_IDLE_MS))

const hasTasks = ({ options }: Serving, era: Era): boolean =>
  era === 'modern' && hasTaskRules(options)

function capabilitiesOf(serving: Serving, era: Era): ServerCapabilities {
  const { prompts, resources } = serving.options
  return {
    tools: { listChanged: true },
    logging: {},
    ...(prompts && { prompts: { listChanged: true } }),
    ...(resources && { resources: { listChanged: true, subscribe: true } }),
    ...((prompts || resources) && { completions: {} }),
    ...(hasTasks(serving, era) && { extensions: { [TASKS_EXTENSION]: {} } }),
  }
}

interface TaskParams {
  readonly taskId: string
}

function addTasks(server: Server, { tasks }: Serving, peerIn: PeerOf): void {
  const handle = (
    method: string,
    answer: (
      taskId: string,
      principal: string,
      context: Peer['context'],
    ) => object | Promise<object>,
  ): void =>
    server.setRequestHandler(method, { params: TASK_PARAMS }, async ({ taskId }, context) => {
      const peer = peerIn(context)
      if (!takesTasks(peer)) throw withoutTasks()
      return (await answer(taskId, peer.principal.id, context)) as Result
    })
  handle('tasks/get', (taskId, principal) => tasks.get(taskId, principal))
  handle('tasks/cancel', (taskId, principal) => (tasks.cancel(taskId, principal), {}))
  handle('tasks/update', async (taskId, principal, { mcpReq }) => {
    await tasks.update(taskId, principal, (mcpReq.inputResponses ?? {}) as Given)
    return {}
  })
}

const TASK_PARAMS: StandardSchemaV1<TaskParams> = {
  '~standard': {
    version: 1,
    vendor: 'toolwright',
    validate(value) {
      const { taskId } = Object(value) as Partial<TaskParams>
      return typeof taskId === 'string'
        ? { value: { taskId } }
        : { issues: [{ message: 'taskId is a text', path: ['taskId'] }] }
    },
  },
}
