/** Long calls as tasks, for clients that take them and for no others. */
import { describe, expect, it } from 'vitest'
import { tool, type ToolSource } from 'toolwright'
import { manualClock } from 'toolwright/testing'
import type { Principal, ServeToolsOptions } from './serve-tools-options.ts'
import {
  accept,
  deletions,
  rpc,
  serve as serveNow,
  textOfResult,
  type RpcAnswer,
} from './serving.cases.ts'

const serve = (sources: ToolSource, options?: Partial<ServeToolsOptions>): Promise<string> =>
  serveNow(sources, { taskAfterMs: 0, ...options })

const TASKS = 'io.modelcontextprotocol/tasks'
const TAKES_TASKS = {
  capabilities: { elicitation: { form: {} }, extensions: { [TASKS]: {} } },
}

interface Held {
  readonly source: ToolSource
  readonly aborted: Promise<void>
  release(text: string): void
}

/** A tool that waits until the test lets it go. */
function held(): Held {
  let release = (_text: string): void => {}
  let abort = (): void => {}
  const result = new Promise<string>((resolve) => (release = resolve))
  const aborted = new Promise<void>((resolve) => (abort = resolve))
  const source = tool({
    name: 'long',
    description: 'Takes long',
    input: { type: 'object', properties: {} },
    execute: (_input: unknown, { signal }) => {
      signal.addEventListener('abort', () => abort())
      return result
    },
  })
  return { source, aborted, release }
}

const LONG = { name: 'long', arguments: {} }
const start = (url: string, params: object = LONG, more: object = {}): Promise<RpcAnswer> =>
  rpc(url, 'tools/call', { ...params }, { ...TAKES_TASKS, ...more })
const ask = (
  url: string,
  what: string,
  ...[params, more]: [params: object, more?: object]
): Promise<RpcAnswer> => rpc(url, `tasks/${what}`, { ...params }, { ...TAKES_TASKS, ...more })

async function status(url: string, taskId: unknown): Promise<unknown> {
  return (await ask(url, 'get', { taskId })).result?.status
}

it('a long call answers with a task, whose result comes later', async () => {
  const { source, release } = held()
  const url = await serve(source)
  const { result: task } = await start(url)
  expect(task).toMatchObject({
    resultType: 'task',
    status: 'working',
    taskId: expect.any(String),
    createdAt: expect.any(String),
    lastUpdatedAt: expect.any(String),
    ttlMs: 3_600_000,
    pollIntervalMs: expect.any(Number),
  })
  const taskId = task!.taskId
  expect(await status(url, taskId)).toBe('working')
  release('at last')
  await expect.poll(() => status(url, taskId)).toBe('completed')
  const { result } = await ask(url, 'get', { taskId })
  expect(textOfResult(result!.result as object)).toBe('at last')
})

it('is offered in discovery, where tasks are on', async () => {
  const { result } = await rpc(await serve(held().source), 'server/discover')
  expect(result).toMatchObject({ capabilities: { extensions: { [TASKS]: {} } } })
  const without = await serve(held().source, { taskAfterMs: undefined })
  expect(JSON.stringify((await rpc(without, 'server/discover')).result)).not.toContain(TASKS)
})

it('never goes to a client that does not take tasks', async () => {
  const { source, release } = held()
  const url = await serve(source)
  const calling = rpc(url, 'tools/call', LONG)
  release('in one piece')
  expect(textOfResult((await calling).result!)).toBe('in one piece')
  const { error } = await rpc(url, 'tasks/get', { taskId: 'x' })
  expect(error).toMatchObject({ code: -32021 })
})

it('a short call is answered at once', async () => {
  const quick = tool({
    name: 'long',
    description: 'Is quick',
    input: { type: 'object', properties: {} },
    execute: () => 'quick',
  })
  const { result } = await start(await serve(quick, { taskAfterMs: 60_000 }))
  expect(textOfResult(result!)).toBe('quick')
})

describe('a task that waits', () => {
  const DELETE = { name: 'deleteFile', arguments: { path: '/a' } }

  it('shows its questions, asks again for what does not fit, and goes on', async () => {
    const files = deletions()
    const url = await serve(files.tool)
    const { result: task } = await start(url, DELETE)
    const taskId = task!.taskId
    await expect.poll(() => status(url, taskId)).toBe('input_required')
    const { result } = await ask(url, 'get', { taskId })
    expect(result!.inputRequests).toMatchObject({ call: { method: 'elicitation/create' } })
    await ask(url, 'update', { taskId, inputResponses: { call: accept({ approve: 'maybe' }) } })
    await expect.poll(() => status(url, taskId)).toBe('input_required')
    expect(files.done).toEqual([])
    await ask(url, 'update', { taskId, inputResponses: { call: accept({ approve: true }) } })
    await expect.poll(() => status(url, taskId)).toBe('completed')
    await ask(url, 'update', { taskId, inputResponses: { call: accept({ approve: true }) } })
    expect(files.done).toEqual(['/a'])
  })
})

it('a cancelled task aborts its tool, and a late result does not count', async () => {
  const { source, aborted, release } = held()
  const url = await serve(source)
  const { result: task } = await start(url)
  await ask(url, 'cancel', { taskId: task!.taskId })
  await aborted
  release('too late')
  expect(await status(url, task!.taskId)).toBe('cancelled')
  await ask(url, 'cancel', { taskId: task!.taskId })
  expect(await status(url, task!.taskId)).toBe('cancelled')
})

it('belongs to its caller, and ends with its time', async () => {
  const clock = manualClock()
  const { source, release } = held()
  const auth = { verify: (token: string): Principal => ({ id: token }) }
  const url = await serve(source, { auth, clock, taskTtlMs: 1000 })
  const as = (who: string) => ({ headers: { authorization: `Bearer ${who}` } })
  const { result: task } = await start(url, LONG, as('ada'))
  const taskId = task!.taskId
  for (const what of ['get', 'update', 'cancel'])
    expect((await ask(url, what, { taskId }, as('eve'))).error).toMatchObject({ code: -32602 })
  release('kept for a while')
  await expect
    .poll(async () => (await ask(url, 'get', { taskId }, as('ada'))).result?.status)
    .toBe('completed')
  await clock.advance(1001)
  expect((await ask(url, 'get', { taskId }, as('ada'))).error).toMatchObject({ code: -32602 })
})

it('a task goes on when the request that made it has ended', async () => {
  const { source, release } = held()
  const url = await serve(source)
  const controller = new AbortController()
  const { result: task } = await start(url, LONG, { signal: controller.signal })
  controller.abort()
  release('still here')
  await expect.poll(() => status(url, task!.taskId)).toBe('completed')
})
