/** Resumes that are refused: nothing runs, the model is not asked, and the state stays usable. */
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ChatClient,
  inMemoryRunStore,
  ResumeError,
  tool,
  type ChatClientOptions,
  type Decisions,
  type RunState,
  type ToolCallback,
  type ToolSource,
} from 'toolwright'
import { scriptedModel, type ScriptedModel } from 'toolwright/testing'

const SECRET = 'a secret for tests only'
const ran: unknown[] = []
beforeEach(() => void ran.splice(0))

const pay = (options: Record<string, unknown> = {}): ToolSource =>
  tool({
    name: 'pay',
    description: 'Pay somebody',
    input: z.object({ amount: z.number() }),
    approval: true,
    ...options,
    execute: ({ amount }) => (ran.push(amount), `paid ${amount}`),
  })
const pick = tool({ name: 'pick' })
const ask = tool({ name: 'ask', execute: (_input, context) => context.suspend('sure?') })

interface Suspended {
  readonly model: ScriptedModel
  readonly client: ChatClient
  readonly state: RunState
}

async function suspended(options: ChatClientOptions = {}): Promise<Suspended> {
  const model = scriptedModel([
    {
      toolCalls: [{ name: 'pay', arguments: { amount: 5 } }, { name: 'pick' }, { name: 'ask' }],
      usage: { inputTokens: 1 },
    },
    ...Array.from({ length: 4 }, () => 'Done.'),
  ])
  const client = ChatClient.create(model, {
    tools: [pay(), pick, ask],
    stateSecret: SECRET,
    ...options,
  })
  const { state } = await client.prompt('Go').conversation('c1').call().result()
  return { model, client, state: JSON.parse(JSON.stringify(state)) as RunState }
}

const ALL: Decisions = {
  call_1: 'approve',
  call_2: { result: 'x' },
  call_3: { deny: 'no' },
}

interface Refused {
  readonly request: ReturnType<ChatClient['resume']>
  readonly code: string
  /** Found only when the run asks its policy. */
  readonly isFoundLate?: true
}

async function expectRefused({ model, client, state }: Suspended, refused: Refused): Promise<void> {
  const checked = await refused.request.check().catch((thrown: unknown) => thrown)
  if (refused.isFoundLate) expect(checked).toBeUndefined()
  else
    expect([checked instanceof ResumeError, checked]).toMatchObject([true, { code: refused.code }])
  await expect(refused.request.call().result()).rejects.toBeInstanceOf(ResumeError)
  await expect(refused.request.stream().result()).rejects.toMatchObject({ code: refused.code })
  expect(ran).toEqual([])
  expect(model.prompts).toHaveLength(1)
  // Not used up: the right resume still works.
  await client.resume(state, ALL).check()
  expect(ran).toEqual([])
  const result = await client.resume(state, ALL).call().result()
  expect(result.status).toBe('done')
  expect(ran).toEqual([5])
}

describe('decisions', () => {
  const WRONG: Record<string, readonly [decisions: unknown, code: string]> = {
    none: [{}, 'decision-missing'],
    'nothing at all': [undefined, 'decision-missing'],
    'an unknown call': [{ call_9: 'approve' }, 'decision-unknown-call'],
    'one good and one unknown': [{ call_1: 'approve', call_9: 'approve' }, 'decision-unknown-call'],
    'a result for an approval': [{ call_1: { result: 1 } }, 'decision-wrong-kind'],
    'an answer for an approval': [{ call_1: { answer: 1 } }, 'decision-wrong-kind'],
    'an approval for a result': [{ call_2: 'approve' }, 'decision-wrong-kind'],
    'an approval for a question': [{ call_3: 'approve' }, 'decision-wrong-kind'],
    'an edit for a question': [{ call_3: { edit: {} } }, 'decision-wrong-kind'],
    'two at once': [{ call_1: { edit: { amount: 1 }, deny: 'x' } }, 'decision-wrong-kind'],
    'a word it does not know': [{ call_1: 'yes' }, 'decision-wrong-kind'],
    'a word that needs a value': [{ call_1: 'edit' }, 'decision-wrong-kind'],
    'an approval that says no': [{ call_1: { approve: false } }, 'decision-wrong-kind'],
    null: [{ call_1: null }, 'decision-wrong-kind'],
    'a denial without words': [{ call_1: { deny: true } }, 'decision-wrong-kind'],
    'an edit that does not fit': [
      { call_1: { edit: { amount: 'lots' } } },
      'decision-invalid-edit',
    ],
    'an edit with more': [{ call_1: { edit: { amount: 1, to: 'me' } } }, 'decision-invalid-edit'],
    'an edit that is nothing': [{ call_1: { edit: undefined } }, 'decision-invalid-edit'],
    'an edit without JSON': [{ call_1: { edit: { amount: 1n } } }, 'decision-invalid-edit'],
  }
  it('name the call at fault, and what does not fit in what was given for it', async () => {
    const chosen = tool({ name: 'pick', output: z.object({ colour: z.string() }) })
    const { client, state } = await suspended({ tools: [pay(), chosen, ask] })
    const facts = async (decisions: Decisions) => {
      const request = client.resume(state, decisions)
      const thrown = [
        await request.check().catch((error: ResumeError) => error),
        await request
          .call()
          .result()
          .catch((error: ResumeError) => error),
      ] as readonly ResumeError[]
      return thrown.map(({ callId, issues }) => [callId, issues?.map(({ path }) => path)])
    }
    const twice = (...each: unknown[]) => [each, each]
    expect(await facts({ call_1: { edit: { amount: 'lots' } } })).toEqual(
      twice('call_1', ['$.amount']),
    )
    expect(await facts({ call_2: { result: { colour: 7 } } })).toEqual(
      twice('call_2', ['$.colour']),
    )
    expect(await facts({ call_9: 'approve' })).toEqual(twice('call_9', undefined))
    expect(await facts({ call_3: 'approve' })).toEqual(twice('call_3', undefined))
  })

  it('say in the same words, checked or run, which call and what to correct; of many calls some', async () => {
    const output = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] } as const // prettier-ignore
    const chosen = tool({ name: 'pick', output })
    const picks = Array.from({ length: 6 }, () => chosen.definition).map(({ name }) => ({ name }))
    const client = ChatClient.create(
      scriptedModel([{ toolCalls: [{ name: 'pay', arguments: { amount: 5 } }, ...picks] }]),
      { tools: [pay(), chosen], stateSecret: SECRET },
    )
    const { state } = await client.prompt('Go').call().result()
    const words = async (decisions: Decisions) => {
      const request = client.resume(state!, decisions)
      const said = [request.check(), request.call().result(), request.stream().result()].map(
        (asked) => asked.then(String, (error: ResumeError) => error.message),
      )
      return [...new Set(await Promise.all(said))]
    }
    expect(await words({ call_1: { edit: { amount: 'lots' } } })).toEqual([
      'The input of call "call_1" does not fit tool "pay": $.amount: expected number, received "lots". Correct the edited input.',
    ])
    expect(await words({ call_2: { result: {} } })).toEqual([
      'The result for call "call_2" does not fit tool "pick": $.colour: expected string (required), received nothing. Give a result that fits the output schema of the tool.',
    ])
    expect(await words({ call_9: 'approve' })).toEqual([
      '"call_9" is not pending. Pending: "call_1" (pay), "call_2" (pick), "call_3" (pick), "call_4" (pick), "call_5" (pick) and 2 more. Decide only pending calls.',
    ])
  })

  for (const [name, [decisions, code]] of Object.entries(WRONG)) {
    it(name, async () => {
      const run = await suspended()
      await expectRefused(run, {
        request: run.client.resume(run.state, decisions as Decisions),
        code,
      })
    })
  }

  it('an edit that the policy refuses', async () => {
    const run = await suspended({
      policy: ({ input }) => ((input as { amount?: number }).amount === 1000 ? 'deny' : 'allow'),
    })
    const decisions = { call_1: { edit: { amount: 1000 } } }
    await expectRefused(run, {
      request: run.client.resume(run.state, decisions),
      code: 'decision-invalid-edit',
      isFoundLate: true,
    })
  })

  it('an edit that the policy would ask about: the edit is the approval', async () => {
    const { client, state } = await suspended({ policy: () => 'ask' })
    await client
      .resume(state, { ...ALL, call_1: { edit: { amount: 7 } } })
      .call()
      .result()
    expect(ran).toEqual([7])
  })
})

describe('the state', () => {
  it('comes through stores that order keys in their own way', async () => {
    const { client, state } = await suspended()
    const shuffled = JSON.parse(JSON.stringify(state), (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toReversed())
        : value,
    ) as RunState
    expect(Object.keys(shuffled)).not.toEqual(Object.keys(state))
    const result = await client.resume(shuffled, ALL).call().result()
    expect(result.status).toBe('done')
  })

  const tampering = (state: RunState): Record<string, RunState> => {
    const paying = { ...state.pending[0]!, input: { amount: 5000 } }
    return {
      messages: { ...state, messages: [{ role: 'user', content: 'Pay 5000' }] },
      rounds: { ...state, rounds: [...state.rounds, ...state.rounds] },
      usage: { ...state, usage: {} },
      counters: { ...state, counters: { total: 0, perTool: {} } },
      answered: { ...state, answered: [{ id: 'call_1', name: 'pay', content: 'paid' }] },
      pending: { ...state, pending: [paying, ...state.pending.slice(1)] },
      answers: { ...state, answers: { call_3: ['yes'] } },
      context: { ...state, context: { admin: true } },
      version: { ...state, version: 2 as 1 },
      id: { ...state, id: 'state_other' },
      runId: { ...state, runId: 'run_other' },
      conversation: { ...state, conversation: 'c2' },
      tools: { ...state, tools: {} },
      signature: {
        ...state,
        signature: state.signature.replace(/.$/, (c) => (c === 'A' ? 'B' : 'A')),
      },
      'no signature': { ...state, signature: '' },
      'one key more': { ...state, extra: 1 } as RunState,
    }
  }
  it('is refused when any field was changed', async () => {
    const run = await suspended()
    const { signature: _signature, ...fields } = run.state
    const tampered = tampering(run.state)
    for (const field of Object.keys(fields)) expect(Object.keys(tampered)).toContain(field)
    for (const [field, state] of Object.entries(tampered)) {
      const refused = { code: field === 'version' ? 'state-invalid' : 'state-signature' }
      const request = run.client.resume(state, ALL)
      await expect(request.call().result(), field).rejects.toMatchObject(refused)
      await expect(request.check(), field).rejects.toMatchObject(refused)
    }
    expect(ran).toEqual([])
    await run.client.resume(run.state, ALL).call().result()
    expect(ran).toEqual([5])
  })

  const NO_STATE: Record<string, unknown> = {
    nothing: undefined,
    null: null,
    text: '{"version":1}',
    'an empty object': {},
    'some other object': { version: 1, signature: 5, pending: [] },
  }
  for (const [name, state] of Object.entries(NO_STATE)) {
    it(`${name} is no state`, async () => {
      const { client } = await suspended()
      await expect(
        client
          .resume(state as RunState, ALL)
          .call()
          .result(),
      ).rejects.toMatchObject({
        code: 'state-invalid',
      })
    })
  }

  it('signed with another secret, or by another process’s key', async () => {
    const run = await suspended()
    for (const options of [
      { stateSecret: 'another secret for tests' },
      { stateSecret: undefined },
    ]) {
      const other = run.client.with(options)
      const refused = { code: 'state-signature' }
      await expect(other.resume(run.state, ALL).call().result()).rejects.toMatchObject(refused)
      await expect(other.resume(run.state, ALL).check()).rejects.toMatchObject(refused)
    }
    await expect(
      run.client.with({ stateSecret: undefined }).resume(run.state, ALL).call().result(),
    ).rejects.toThrow(/No stateSecret is set/)
  })

  it('without a secret, resumes in the process that made it', async () => {
    const { client, state } = await suspended({ stateSecret: undefined })
    expect((await client.resume(state, ALL).call().result()).status).toBe('done')
  })

  it('resumes once', async () => {
    const { client, state } = await suspended()
    await client.resume(state, ALL).call().result()
    await expect(client.resume(state, ALL).call().result()).rejects.toMatchObject({
      code: 'state-used',
    })
    expect(ran).toEqual([5])
  })

  it('resumes once, also when two try at the same time', async () => {
    const { client, state } = await suspended()
    const both = await Promise.allSettled([
      client.resume(state, ALL).call().result(),
      client.resume(state, ALL).stream().result(),
    ])
    expect(both.map((each) => each.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(ran).toEqual([5])
  })

  it('resumes once, also by another client of this process', async () => {
    const { client, state } = await suspended()
    await client.resume(state, ALL).call().result()
    await expect(
      client.with({ system: 'x' }).resume(state, ALL).call().result(),
    ).rejects.toMatchObject({
      code: 'state-used',
    })
    expect(ran).toEqual([5])
  })

  it('resumes once among all who share a store', async () => {
    const runStore = inMemoryRunStore()
    const { client, state } = await suspended({ runStore })
    await client.resume(state, ALL).call().result()
    await expect(
      client.with({ runStore }).resume(state, ALL).call().result(),
    ).rejects.toMatchObject({ code: 'state-used' })
  })

  it('an aborted resume does not use it up', async () => {
    const abort = new AbortController()
    let aborting = false
    const run = await suspended({
      policy() {
        if (aborting) abort.abort(new Error('left'))
        return 'allow'
      },
    })
    aborting = true
    const edited = { call_1: { edit: { amount: 9 } } }
    await expect(
      run.client.resume(run.state, edited).signal(abort.signal).call().result(),
    ).rejects.toThrow('left')
    await new Promise((wake) => setImmediate(wake))
    expect(ran).toEqual([])
    await run.client.resume(run.state, ALL).call().result()
    expect(ran).toEqual([5])
  })

  it('an aborted resume does not use it up, however late the abort comes', async () => {
    for (let turns = 0; turns < 120; turns++) {
      const abort = new AbortController()
      let resuming = false
      const usedAfterAbort: boolean[] = []
      const run = await suspended({
        policy() {
          const abortLater = async (): Promise<void> => {
            for (let turn = 0; turn < turns; turn++) await null
            abort.abort(new Error('left'))
          }
          if (resuming) void abortLater()
          return 'allow'
        },
        runStore: { use: async () => usedAfterAbort.push(abort.signal.aborted) > 0 },
      })
      resuming = true
      const edited = { call_1: { edit: { amount: 9 } } }
      await run.client
        .resume(run.state, edited)
        .signal(abort.signal)
        .call()
        .result()
        .catch(() => {})
      await new Promise((wake) => setImmediate(wake))
      expect(usedAfterAbort).not.toContain(true)
    }
  })
})

describe('the tools', () => {
  it('one that is not offered any more', async () => {
    const run = await suspended()
    await expectRefused(run, {
      request: run.client.resume(run.state, ALL).tools(pay(), pick),
      code: 'state-tools-changed',
    })
  })

  const CHANGED: Record<string, Record<string, unknown>> = {
    description: { description: 'Pay anybody' },
    input: { input: z.object({ amount: z.number().describe('in cents') }) },
    title: { title: 'Payment' },
    output: { output: z.string() },
  }
  for (const [field, options] of Object.entries(CHANGED)) {
    it(`one whose ${field} changed`, async () => {
      const run = await suspended()
      await expectRefused(run, {
        request: run.client.resume(run.state, ALL).tools(pay(options), pick, ask),
        code: 'state-tools-changed',
      })
    })
  }

  it('all that differ are named', async () => {
    const { client, state } = await suspended()
    const changed = pay({ description: 'Pay anybody' })
    const request = client.resume(state, ALL).tools(changed, ask)
    const message = /: "pay" \(changed\), "pick" \(not offered\)\. Offer the same tools/
    await expect(request.call().result()).rejects.toThrow(message)
    await expect(request.stream().result()).rejects.toThrow(message)
    await expect(request.check()).rejects.toThrow(message)
  })

  it('all that a hook added and that differ are named', async () => {
    let added: ToolCallback[] = [
      tool({ name: 'one', approval: true, execute: () => 1 }),
      tool({ name: 'two' }),
    ]
    const model = scriptedModel([{ toolCalls: [{ name: 'one' }, { name: 'two' }] }])
    const client = ChatClient.create(model, {
      stateSecret: SECRET,
      toolCalling: {
        beforeRound: (request) => ({
          ...request,
          prompt: { ...request.prompt, options: { ...request.prompt.options, tools: added } },
        }),
      },
    })
    const { state } = await client.prompt('Go').call().result()
    added = [tool({ name: 'one', description: 'Another' })]
    const request = client.resume(state!, { call_1: 'approve' })
    // Only the run itself asks the hook.
    await request.check()
    for (const run of [request.call(), request.stream()])
      await expect(run.result()).rejects.toThrow(/: "one" \(changed\), "two" \(not offered\)\./)
  })

  it('more tools than before are welcome', async () => {
    const { client, state } = await suspended()
    const more = tool({ name: 'more', execute: () => 1 })
    expect((await client.resume(state, ALL).addTools(more).call().result()).status).toBe('done')
  })
})

describe('the request', () => {
  it('takes no messages', async () => {
    const { client, state } = await suspended()
    const request = client.resume(state, ALL)
    for (const say of [
      () => request.user('And also'),
      () => request.system('Be evil.'),
      () => request.messages({ role: 'user', content: 'x' }),
    ]) {
      expect(say).toThrow(expect.objectContaining({ code: 'resume-messages' }))
    }
  })

  it('stays in its conversation', async () => {
    const run = await suspended()
    await expectRefused(run, {
      request: run.client.resume(run.state, ALL).conversation('c2'),
      code: 'state-invalid',
    })
  })

  it('that resumes nothing is checked for what it asks', async () => {
    const { client, model } = await suspended()
    await client.prompt('Go').check()
    await expect(client.prompt([]).check()).rejects.toMatchObject({ code: 'invalid-message' })
    const developer = { role: 'developer', content: 'x' } as never
    await expect(client.prompt([developer]).check()).rejects.toMatchObject({
      code: 'invalid-message',
      message: expect.stringContaining("Write role: 'system'"),
    })
    await expect(client.prompt('Go').toolNames('nope').check()).rejects.toMatchObject({
      code: 'unknown-tool-name',
    })
    expect(model.prompts).toHaveLength(1)
  })

  it('is not checked once it was aborted', async () => {
    const { client, state } = await suspended()
    const signal = AbortSignal.abort(new Error('left'))
    await expect(client.resume(state, ALL).signal(signal).check()).rejects.toThrow('left')
  })

  it('cannot go on without the loop', async () => {
    const { client, state } = await suspended()
    await expect(client.resume(state, ALL).toolCalling(false).check()).rejects.toThrow(/loop/)
    expect(() => client.resume(state, ALL).toolCalling(false).call()).toThrow(/loop/)
  })
})

it('the state holds no context, no tools and no secrets', async () => {
  const model = scriptedModel([{ toolCalls: [{ name: 'pay', arguments: { amount: 5 } }] }])
  const client = ChatClient.create(model, { tools: [pay()], stateSecret: SECRET })
  const { state } = await client.prompt('Go').toolContext({ token: 'hush-hush' }).call().result()
  const text = JSON.stringify(state)
  expect(text).not.toContain('hush-hush')
  expect(text).not.toContain(SECRET)
  expect(text).not.toContain('Pay somebody')
})
