/** Calls that wait: what leaves, and which answers let them go on. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  clientTool,
  inMemoryRunStore,
  tool,
  toolRunOf,
  type Json,
  type RunStore,
  type ToolSource,
} from 'toolwright'
import { manualClock, scriptedModel } from 'toolwright/testing'
import { serveTools } from './serve-tools.ts'
import type { Principal } from './serve-tools-options.ts'
import {
  accept,
  add,
  CAN_ANSWER,
  connected,
  deletions,
  greet,
  rpc,
  serve,
  textOfResult,
  type RpcAnswer,
} from './serving.cases.ts'

const DELETE = { name: 'deleteFile', arguments: { path: '/a' } }
const APPROVED = { call: accept({ approve: true }) }

interface Waiting {
  readonly requestState: string
  readonly inputRequests: {
    readonly [key: string]: {
      readonly method: string
      readonly params: { readonly message: string; readonly [key: string]: Json }
    }
  }
}

async function waiting(url: string, params: object): Promise<Waiting> {
  const { result } = await rpc(url, 'tools/call', { ...params }, CAN_ANSWER)
  expect(result?.resultType).toBe('input_required')
  return result as unknown as Waiting
}

const answer = (
  url: string,
  params: object,
  given: { readonly requestState: string; readonly inputResponses?: object },
): Promise<RpcAnswer> => rpc(url, 'tools/call', { ...params, ...given }, CAN_ANSWER)

describe('an approval', () => {
  it('leaves as a form and a state, and runs once when it is approved', async () => {
    const files = deletions()
    const url = await serve(files.tool)
    const { requestState, inputRequests } = await waiting(url, DELETE)
    expect(inputRequests.call).toMatchObject({
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: expect.stringContaining('deleteFile'),
        requestedSchema: { properties: { approve: { type: 'boolean' } }, required: ['approve'] },
      },
    })
    expect(files.done).toEqual([])
    const { result } = await answer(url, DELETE, { requestState, inputResponses: APPROVED })
    expect(textOfResult(result!)).toBe('deleted /a')
    expect(files.done).toEqual(['/a'])
  })

  it('is used once: a replay is refused and nothing runs twice', async () => {
    const files = deletions()
    const url = await serve(files.tool)
    const { requestState } = await waiting(url, DELETE)
    const replays = await Promise.all(
      [1, 2, 3, 4].map(() => answer(url, DELETE, { requestState, inputResponses: APPROVED })),
    )
    const later = await answer(url, DELETE, { requestState, inputResponses: APPROVED })
    const refused = [...replays, later].filter(({ error }) => error)
    expect(refused).toHaveLength(4)
    for (const { error } of refused)
      expect(error).toMatchObject({ code: -32602, data: { reason: 'state-used' } })
    expect(files.done).toEqual(['/a'])
  })

  it('counts for its own arguments and tool only', async () => {
    const files = deletions()
    const other = tool({
      name: 'other',
      description: 'Other',
      input: { type: 'object', properties: { path: { type: 'string' } } },
      approval: true,
      execute: () => 'ran',
    })
    const url = await serve([files.tool, other])
    const { requestState } = await waiting(url, DELETE)
    const given = { requestState, inputResponses: APPROVED }
    for (const params of [
      { name: 'deleteFile', arguments: { path: '/etc' } },
      { name: 'other', arguments: { path: '/a' } },
    ])
      expect((await answer(url, params, given)).error).toMatchObject({
        code: -32602,
        data: { reason: 'state-of-another-call' },
      })
    expect(files.done).toEqual([])
    expect(textOfResult((await answer(url, DELETE, given)).result!)).toBe('deleted /a')
  })

  it('refuses states that were forged, and those of another server', async () => {
    const files = deletions()
    const url = await serve(files.tool)
    const elsewhere = await serve(deletions().tool)
    const { requestState } = await waiting(url, DELETE)
    const foreign = await waiting(elsewhere, DELETE)
    const [version, body = '', signature] = requestState.split('.')
    const changed = Buffer.from(
      Buffer.from(body, 'base64url')
        .toString()
        .replace(/"expires":\d+/, '"expires":9e15'),
    ).toString('base64url')
    const forged = [
      foreign.requestState,
      `${version}.${changed}.${signature}`,
      `${version}.${body}.${'A'.repeat(43)}`,
      `${requestState}x`,
      'nonsense',
      '',
    ]
    for (const each of forged)
      expect(
        (await answer(url, DELETE, { requestState: each, inputResponses: APPROVED })).error,
      ).toMatchObject({ code: -32602, data: { reason: 'state-forged' } })
    expect(files.done).toEqual([])
  })

  it('expires', async () => {
    const clock = manualClock()
    const files = deletions()
    const url = await serve(files.tool, { clock, stateTtlMs: 1000 })
    const { requestState } = await waiting(url, DELETE)
    await clock.advance(1001)
    const { error } = await answer(url, DELETE, { requestState, inputResponses: APPROVED })
    expect(error).toMatchObject({ code: -32602, data: { reason: 'state-expired' } })
    expect(files.done).toEqual([])
  })

  it('belongs to the caller that made the call', async () => {
    const files = deletions()
    const auth = { verify: (token: string): Principal => ({ id: token }) }
    const url = await serve(files.tool, { auth })
    const as = (token: string) => ({ ...CAN_ANSWER, headers: { authorization: `Bearer ${token}` } })
    const { result } = await rpc(url, 'tools/call', DELETE, as('ada'))
    const params = { ...DELETE, requestState: result!.requestState, inputResponses: APPROVED }
    const stolen = await rpc(url, 'tools/call', params, as('eve'))
    expect(stolen.error).toMatchObject({ code: -32602, data: { reason: 'state-of-another-call' } })
    expect(files.done).toEqual([])
    await rpc(url, 'tools/call', params, as('ada'))
    expect(files.done).toEqual(['/a'])
  })

  it.each([
    ['declined', { action: 'decline' }, 'The user declined.'],
    ['cancelled', { action: 'cancel' }, 'The user declined.'],
    ['not approved', accept({ approve: false, reason: 'Not today' }), 'Not today'],
  ])('tells the client when it was %s', async (_name, response, words) => {
    const files = deletions()
    const url = await serve(files.tool)
    const { requestState } = await waiting(url, DELETE)
    const { result } = await answer(url, DELETE, {
      requestState,
      inputResponses: { call: response },
    })
    expect(result).toMatchObject({ isError: true })
    expect(textOfResult(result!)).toContain(words)
    expect(files.done).toEqual([])
  })

  it('asks again for what is missing or does not fit, and ignores what was not asked', async () => {
    const files = deletions()
    const url = await serve(files.tool)
    let { requestState } = await waiting(url, DELETE)
    for (const inputResponses of [
      undefined,
      { somethingElse: accept({ approve: true }) },
      { call: accept({ approve: 'perhaps' }) },
      { call: accept({}) },
    ]) {
      const { result } = await answer(url, DELETE, {
        requestState,
        ...(inputResponses && { inputResponses }),
      })
      expect(result?.resultType).toBe('input_required')
      expect(Object.keys(result!.inputRequests as object)).toEqual(['call'])
      requestState = result!.requestState as string
    }
    expect(files.done).toEqual([])
    const inputResponses = { ...APPROVED, extra: accept({ x: 1 }) }
    const { result } = await answer(url, DELETE, { requestState, inputResponses })
    expect(textOfResult(result!)).toBe('deleted /a')
  })

  it('goes on in another process that shares store and secret', async () => {
    const files = deletions()
    const runStore = inMemoryRunStore()
    const stateSecret = 'a secret of the whole cluster'
    const first = await serve(files.tool, { runStore, stateSecret })
    const second = await serve(files.tool, { runStore, stateSecret })
    const { requestState } = await waiting(first, DELETE)
    const given = { requestState, inputResponses: APPROVED }
    expect(textOfResult((await answer(second, DELETE, given)).result!)).toBe('deleted /a')
    expect((await answer(first, DELETE, given)).error).toMatchObject({ code: -32602 })
    expect(files.done).toEqual(['/a'])
  })
})

describe('a client that cannot be asked', () => {
  it('gets -32021 on the newer protocol, and nothing waits', async () => {
    const files = deletions()
    const kept = inMemoryRunStore()
    const url = await serve(files.tool, { runStore: kept })
    const { error } = await rpc(url, 'tools/call', DELETE)
    expect(error).toMatchObject({
      code: -32021,
      message: expect.stringContaining('Nothing ran'),
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    })
    expect((await kept.list({})).runs).toEqual([])
    expect(files.done).toEqual([])
  })

  it('reads it in the result on the older one', async () => {
    const files = deletions()
    const url = await serve(files.tool)
    const client = await connected(url, { era: 'legacy' })
    const result = await client.callTool(DELETE)
    expect(result.isError).toBe(true)
    expect(textOfResult(result)).toContain('cannot be asked')
    await client.close()
  })
})

describe('a question', () => {
  const asking = (question: Json): ToolSource =>
    tool({
      name: 'asks',
      description: 'Asks',
      input: { type: 'object', properties: {} },
      execute: (_input: unknown, context) => JSON.stringify(context.suspend(question)),
    })
  const CALL = { name: 'asks', arguments: {} }

  it('that is a text is answered by a text', async () => {
    const url = await serve(greet)
    const call = { name: 'greet', arguments: {} }
    const { requestState, inputRequests } = await waiting(url, call)
    expect(inputRequests.call!.params).toMatchObject({
      message: 'What is your name?',
      requestedSchema: { properties: { answer: { type: 'string' } } },
    })
    const inputResponses = { call: accept({ answer: 'Ada' }) }
    const { result } = await answer(url, call, { requestState, inputResponses })
    expect(textOfResult(result!)).toBe('Hello Ada')
  })

  it('of a remote server keeps its own form', async () => {
    const requestedSchema = {
      type: 'object',
      properties: { floor: { type: 'integer', minimum: 1 } },
      required: ['floor'],
    }
    const url = await serve(
      asking({ server: 'lift', mode: 'form', message: 'Which floor?', requestedSchema }),
    )
    const { requestState, inputRequests } = await waiting(url, CALL)
    expect(inputRequests.call!.params).toEqual({
      mode: 'form',
      message: 'Which floor?',
      requestedSchema,
    })
    const wrong = await answer(url, CALL, {
      requestState,
      inputResponses: { call: accept({ floor: 0 }) },
    })
    expect(wrong.result).toMatchObject({ resultType: 'input_required' })
    const inputResponses = { call: accept({ floor: 3 }) }
    const { result } = await answer(url, CALL, { requestState, inputResponses })
    expect(textOfResult(result!)).toBe('{"floor":3}')
  })

  it('that is an address is passed on as one', async () => {
    const url = await serve(asking({ mode: 'url', message: 'Sign in', url: 'https://sign.in/1' }))
    const { requestState, inputRequests } = await waiting(url, CALL)
    expect(inputRequests.call!.params).toEqual({
      mode: 'url',
      message: 'Sign in',
      url: 'https://sign.in/1',
    })
    const given = { requestState, inputResponses: { call: { action: 'accept' } } }
    expect((await answer(url, CALL, given)).result?.isError).toBeUndefined()
  })

  it('of several parts is asked part by part, and keeps what was answered', async () => {
    const form = (message: string): Json => ({
      mode: 'form',
      message,
      requestedSchema: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
    })
    const requests = { first: form('First?'), second: form('Second?') }
    const url = await serve(asking({ mode: 'several', requests }))
    const { requestState, inputRequests } = await waiting(url, CALL)
    expect(Object.keys(inputRequests)).toEqual(['first', 'second'])
    const half = await answer(url, CALL, {
      requestState,
      inputResponses: { first: accept({ x: '1' }) },
    })
    expect(Object.keys(half.result!.inputRequests as object)).toEqual(['second'])
    const { result } = await answer(url, CALL, {
      requestState: half.result!.requestState as string,
      inputResponses: { second: accept({ x: '2' }) },
    })
    expect(JSON.parse(textOfResult(result!))).toEqual({ first: { x: '1' }, second: { x: '2' } })
  })

  it('can be followed by another', async () => {
    const twice = tool({
      name: 'asks',
      description: 'Asks twice',
      input: { type: 'object', properties: {} },
      execute: (_input: unknown, { suspend }) =>
        `${String(suspend('One?'))} and ${String(suspend('Two?'))}`,
    })
    const url = await serve(twice)
    const first = await waiting(url, CALL)
    const second = await answer(url, CALL, {
      requestState: first.requestState,
      inputResponses: { call: accept({ answer: '1' }) },
    })
    expect(second.result).toMatchObject({ resultType: 'input_required' })
    const { result } = await answer(url, CALL, {
      requestState: second.result!.requestState as string,
      inputResponses: { call: accept({ answer: '2' }) },
    })
    expect(textOfResult(result!)).toBe('1 and 2')
  })

  it('keeps what the tool keeps for itself out of the client’s hands', async () => {
    const keeping = tool({
      name: 'asks',
      description: 'Keeps',
      input: { type: 'object', properties: {} },
      execute: (_input: unknown, context) => {
        const { answers, kept, ask } = toolRunOf(context)
        return answers.length === 0 ? ask('Go on?', { ticket: 'TICKET-7' }) : JSON.stringify(kept)
      },
    })
    const url = await serve(keeping)
    const asked = await waiting(url, CALL)
    const seen = JSON.stringify(asked) + Buffer.from(asked.requestState.split('.')[1]!, 'base64url')
    expect(seen).not.toContain('TICKET-7')
    const { result } = await answer(url, CALL, {
      requestState: asked.requestState,
      inputResponses: { call: accept({ answer: 'yes' }) },
    })
    expect(textOfResult(result!)).toBe('{"ticket":"TICKET-7"}')
  })
})

it('a result that the client supplies is a question, too', async () => {
  const supplied = tool({
    name: 'whereAmI',
    description: 'Asks the device where it is',
    input: { type: 'object', properties: {} },
    output: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
  })
  const url = await serve(supplied as ToolSource)
  const call = { name: 'whereAmI', arguments: {} }
  const { requestState, inputRequests } = await waiting(url, call)
  expect(inputRequests.call!.params.requestedSchema).toMatchObject({ required: ['city'] })
  const inputResponses = { call: accept({ city: 'Oslo' }) }
  const { result } = await answer(url, call, { requestState, inputResponses })
  expect(result).toMatchObject({ structuredContent: { city: 'Oslo' } })
})

it('a client that is a tool passes on everything that its run waits for', async () => {
  const files = deletions()
  const model = scriptedModel([
    {
      toolCalls: [
        { id: 'none', name: 'add', arguments: { a: 1, b: 2 } },
        { id: 'one', name: 'deleteFile', arguments: { path: '/1' } },
        { id: 'two', name: 'deleteFile', arguments: { path: '/2' } },
      ],
    },
    { text: 'Both done.' },
  ])
  const cleaner = clientTool(ChatClient.create(model, { tools: [add, files.tool] }), {
    name: 'cleaner',
    description: 'Cleans up',
  })
  const url = await serve(cleaner)
  const call = { name: 'cleaner', arguments: { prompt: 'Clean up' } }
  const { requestState, inputRequests } = await waiting(url, call)
  expect(Object.keys(inputRequests)).toEqual(['call.one', 'call.two'])
  const { result } = await answer(url, call, {
    requestState,
    inputResponses: { 'call.one': accept({ approve: true }), 'call.two': { action: 'decline' } },
  })
  expect(textOfResult(result!)).toBe('Both done.')
  expect(files.done).toEqual(['/1'])
})

it('needs a store that keeps runs', () => {
  const runStore: RunStore = { use: async () => true }
  expect(() => serveTools(greet, { name: 'x', version: '1', runStore })).toThrow(
    /save\(\) and find/,
  )
})

describe.each(['modern', 'legacy'] as const)('with a client of the SDK, %s', (era) => {
  it('approvals and questions work', async () => {
    const files = deletions()
    const url = await serve([files.tool, greet])
    const asked: string[] = []
    const client = await connected(url, {
      era,
      answer: ({ message }) => {
        asked.push(message)
        return accept(message.startsWith('Allow') ? { approve: true } : { answer: 'Ada' })
      },
    })
    expect(textOfResult(await client.callTool(DELETE))).toBe('deleted /a')
    expect(textOfResult(await client.callTool({ name: 'greet', arguments: {} }))).toBe('Hello Ada')
    expect(asked).toHaveLength(2)
    await client.close()
  })

  it('a person who declines is not asked twice', async () => {
    const files = deletions()
    const url = await serve(files.tool)
    const client = await connected(url, { era, answer: () => ({ action: 'decline' }) })
    const result = await client.callTool(DELETE)
    expect(result.isError).toBe(true)
    expect(files.done).toEqual([])
    await client.close()
  })
})

it('a client of the older protocol that answers wrongly is asked three times', async () => {
  const files = deletions()
  const url = await serve(files.tool)
  const asked: string[] = []
  const client = await connected(url, {
    era: 'legacy',
    answer: ({ message }) => {
      asked.push(message)
      return accept({ approve: 'perhaps' })
    },
  })
  const result = await client.callTool(DELETE)
  expect(asked).toHaveLength(3)
  expect(asked.at(-1)).toContain('The last answer could not be used')
  expect(result.isError).toBe(true)
  expect(textOfResult(result)).toMatch(/Nothing ran\. This client answered 3 times/)
  expect(files.done).toEqual([])
  await client.close()
})

describe('a tool that calls tools', () => {
  it('asks for everything that its calls wait for, each under its own id', async () => {
    const paid: unknown[] = []
    const pay = tool({
      name: 'pay',
      input: { type: 'object', properties: { amount: { type: 'number' } } },
      approval: true,
      execute: ({ amount }) => void paid.push(amount),
    })
    const form = tool({ name: 'form', output: { type: 'number' } })
    const program = tool({
      name: 'program',
      // The schema of what it gives is not that of what its tools give, which holds what the client supplies for them.
      output: { type: 'object', properties: { text: { type: 'string' } } },
      composite: { tools: [pay, form] },
      async execute(_input, context) {
        const run = toolRunOf(context)
        const outcomes = await Promise.all([
          run.call({ index: 0, name: 'pay', arguments: { amount: 1 } }),
          run.call({ index: 1, name: 'pay', arguments: { amount: 2 } }),
          run.call({ index: 2, name: 'form', arguments: {} }),
        ])
        if (outcomes.some((each) => 'pending' in each)) run.suspend(null)
        return { text: JSON.stringify(outcomes.map((each) => 'ok' in each && each.ok)) }
      },
    })
    const url = await serve(program)
    const params = { name: 'program', arguments: {} }
    const { requestState, inputRequests } = await waiting(url, params)
    expect(Object.keys(inputRequests)).toEqual(['call/0', 'call/1', 'call/2'])
    expect(inputRequests['call/2']!.params).toMatchObject({
      requestedSchema: { required: ['result'] },
    })
    const { result } = await answer(url, params, {
      requestState,
      inputResponses: {
        'call/0': accept({ approve: true }),
        'call/1': accept({ approve: false, reason: 'No.' }),
        'call/2': accept({ result: '7' }),
      },
    })
    expect(JSON.stringify(result)).toContain('[true,false,true]')
    expect(paid).toEqual([1])
  })
})
