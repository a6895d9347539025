/** Conversations that are remembered: outside the loop, inside it, and over a suspension. */
import { describe, expect, it } from 'vitest'
import {
  advisor,
  ChatClient,
  chatMemoryAdvisor,
  inMemoryRepository,
  messageWindowMemory,
  summarisingMemory,
  textOf,
  tokenWindowMemory,
  tool,
  toolCallingAdvisor,
  type ChatMemory,
  type ChatModel,
  type Generation,
  type Message,
  type SummaryReport,
  type ToolSource,
} from 'toolwright'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'
import { eventsOf, scenario, type Scenario, type Stage } from './scenario.ts'

const INSIDE = 500
const rolesOf = (messages: readonly Message[]): readonly string[] =>
  messages.map((message) => message.role)
const step = (log: unknown[], options: Record<string, unknown> = {}): ToolSource =>
  tool({ name: 'step', ...options, execute: () => (log.push('ran'), 'ok') })
const STEP: ScriptedStep = { toolCalls: [{ name: 'step' }] }

/** A memory whose conversation the check can read: the log's last entry. */
const kept = new WeakMap<unknown[], ChatMemory>()
function memoryOf({ log }: Pick<Stage, 'log'>): ChatMemory {
  const memory = kept.get(log) ?? messageWindowMemory()
  kept.set(log, memory)
  return memory
}

describe('outside the loop', () => {
  it('remembers what was said, and says it again before the next question', async () => {
    const model = scriptedModel(['Hello Ada.', 'You are Ada.'])
    const client = ChatClient.create(model, {
      system: 'Be brief.',
      advisors: [chatMemoryAdvisor(messageWindowMemory())],
    })
    await client.prompt('I am Ada').conversation('c').call().content()
    await client.prompt('Who am I?').conversation('c').call().content()
    expect(model.prompts[1]!.messages.map((message) => textOf(message))).toEqual([
      'Be brief.',
      'I am Ada',
      'Hello Ada.',
      'Who am I?',
    ])
  })

  it('keeps conversations and tenants apart', async () => {
    const model = scriptedModel(['1', '2', '3', '4'])
    const client = ChatClient.create(model, {
      advisors: [chatMemoryAdvisor(messageWindowMemory())],
    })
    const keys = ['c', 'd', { tenant: 'a', conversation: 'c' }, { tenant: 'b', conversation: 'c' }]
    for (const key of keys) await client.prompt('Hi').conversation(key).call().content()
    expect(model.prompts.map((prompt) => prompt.messages.length)).toEqual([1, 1, 1, 1])
  })

  scenario('stores the user’s message and the final answer', {
    script: [STEP, 'Done.'],
    client: (stage) => ({ advisors: [chatMemoryAdvisor(memoryOf(stage))] }),
    request: (client) => client.prompt('Go').conversation('c'),
    tools: ({ log }) => [step(log)],
    async check(outcome) {
      expect(await memoryOf(outcome).get('c')).toEqual([
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: 'Done.' },
      ])
    },
  })

  scenario('with storeToolExchange the tool messages too', {
    script: [STEP, 'Done.'],
    client: (stage) => ({
      advisors: [chatMemoryAdvisor(memoryOf(stage), { storeToolExchange: true })],
    }),
    request: (client) => client.prompt('Go').conversation('c'),
    tools: ({ log }) => [step(log)],
    async check(outcome) {
      expect(rolesOf(await memoryOf(outcome).get('c'))).toEqual([
        'user',
        'assistant',
        'tool',
        'assistant',
      ])
    },
  })

  scenario('stores no call that nobody will answer', {
    script: [{ text: 'Trying. ', toolCalls: [{ name: 'step' }] }],
    client: (stage) => ({
      limits: { rounds: 1 },
      advisors: [chatMemoryAdvisor(memoryOf(stage))],
    }),
    request: (client) => client.prompt('Go').conversation('c'),
    tools: ({ log }) => [step(log)],
    async check(outcome) {
      expect(await memoryOf(outcome).get('c')).toEqual([
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: [{ type: 'text', text: 'Trying. ' }] },
      ])
    },
  })

  scenario('stores direct results as the answer they are', {
    script: [STEP],
    client: (stage) => ({ advisors: [chatMemoryAdvisor(memoryOf(stage))] }),
    request: (client) => client.prompt('Go').conversation('c'),
    tools: ({ log }) => [step(log, { returnDirect: true })],
    async check(outcome) {
      expect((await memoryOf(outcome).get('c')).map((message) => textOf(message))).toEqual([
        'Go',
        'ok',
      ])
    },
  })
})

describe('inside the loop', () => {
  scenario('stores every step, and takes over the loop’s history', {
    script: [STEP, STEP, 'Done.'],
    client: (stage) => ({ advisors: [chatMemoryAdvisor(memoryOf(stage), { order: INSIDE })] }),
    request: (client) => client.prompt('Go').system('Be brief.').conversation('c'),
    tools: ({ log }) => [step(log)],
    async check(outcome) {
      const { prompts, result } = outcome
      expect(rolesOf(await memoryOf(outcome).get('c'))).toEqual([
        'user',
        'assistant',
        'tool',
        'assistant',
        'tool',
        'assistant',
      ])
      expect(prompts.map((prompt) => rolesOf(prompt.messages))).toEqual([
        ['system', 'user'],
        ['system', 'user', 'assistant', 'tool'],
        ['system', 'user', 'assistant', 'tool', 'assistant', 'tool'],
      ])
      expect(rolesOf(result.messages)).toEqual([...rolesOf(prompts[2]!.messages), 'assistant'])
    },
  })

  scenario('storeToolExchange makes no difference: every step is stored once', {
    script: [STEP, 'Done.'],
    client: (stage) => ({
      advisors: [chatMemoryAdvisor(memoryOf(stage), { order: INSIDE, storeToolExchange: true })],
    }),
    request: (client) => client.prompt('Go').conversation('c'),
    tools: ({ log }) => [step(log)],
    async check(outcome) {
      expect(rolesOf(await memoryOf(outcome).get('c'))).toEqual([
        'user',
        'assistant',
        'tool',
        'assistant',
      ])
    },
  })

  scenario('the loop sends only the newest to it', {
    script: [STEP, 'Done.'],
    client: (stage) => ({
      advisors: [
        chatMemoryAdvisor(memoryOf(stage), { order: INSIDE }),
        advisor({
          name: 'before memory',
          order: INSIDE - 1,
          before: (request) => void stage.log.push(rolesOf(request.prompt.messages)),
        }),
      ],
    }),
    request: (client) => client.prompt('Go').system('Be brief.').conversation('c'),
    tools: ({ log }) => [step(log)],
    check: ({ log }) => void expect(log).toEqual([['system', 'user'], 'ran', ['system', 'tool']]),
  })

  scenario('with conversationHistory left on nothing is stored or sent twice', {
    script: [STEP, STEP, 'Done.'],
    client: (stage) => ({
      toolCalling: { conversationHistory: true },
      advisors: [chatMemoryAdvisor(memoryOf(stage), { order: INSIDE })],
    }),
    request: (client) => client.prompt('Go').conversation('c'),
    tools: ({ log }) => [step(log)],
    async check(outcome) {
      expect(rolesOf(await memoryOf(outcome).get('c'))).toEqual([
        'user',
        'assistant',
        'tool',
        'assistant',
        'tool',
        'assistant',
      ])
      expect(outcome.prompts[2]!.messages).toHaveLength(5)
    },
  })

  scenario('with conversationHistory left on, after an earlier conversation, neither', {
    script: [STEP, 'Done.'],
    client: (stage) => ({
      toolCalling: { conversationHistory: true },
      advisors: [chatMemoryAdvisor(memoryOf(stage), { order: INSIDE })],
    }),
    request(client, stage) {
      // Equal to what is asked now: it must not be taken for it.
      void memoryOf(stage).add('c', [
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: 'Gone.' },
      ])
      const example: Message[] = [
        { role: 'user', content: 'For example' },
        { role: 'assistant', content: 'Like this' },
      ]
      return client.prompt([...example, { role: 'user', content: 'Go' }]).conversation('c')
    },
    tools: ({ log }) => [step(log)],
    check({ prompts }) {
      const [first, second] = prompts.map(({ messages }) => messages.map((each) => textOf(each)))
      expect(first).toEqual(['Go', 'Gone.', 'For example', 'Like this', 'Go'])
      expect(second!.slice(0, 5)).toEqual(first)
      expect(rolesOf(prompts[1]!.messages).slice(5)).toEqual(['assistant', 'tool'])
    },
  })

  const ENDS: { readonly [name: string]: Partial<Scenario> & { readonly last: string } } = {
    'direct results': {
      tools: ({ log }) => [step(log, { returnDirect: true })],
      last: 'assistant',
    },
    'a round limit': { client: () => ({ limits: { rounds: 1 } }), last: 'tool' },
    'a round limit that throws': {
      client: () => ({ limits: { rounds: 1 }, onLimit: 'throw' }),
      last: 'tool',
    },
    stopWhen: { client: () => ({ toolCalling: { stopWhen: () => true } }), last: 'tool' },
    'a decision after which no round comes': {
      tools: ({ log }) => [step(log, { returnDirect: true, approval: true })],
      resume: [() => ({ call_1: 'approve' as const })],
      last: 'assistant',
    },
  }
  for (const [name, { last, client, ...spec }] of Object.entries(ENDS)) {
    scenario(`a run that ends with ${name}: its results are stored, once`, {
      script: [STEP, 'Next.'],
      tools: ({ log }) => [step(log)],
      ...spec,
      client: (stage) => ({
        ...client?.(stage),
        advisors: [chatMemoryAdvisor(memoryOf(stage), { order: INSIDE })],
      }),
      request: (asked) => asked.prompt('Go').conversation('c'),
      async check(outcome) {
        const memory = memoryOf(outcome)
        const stored = await memory.get('c')
        const roles = ['user', 'assistant', 'tool']
        expect(rolesOf(stored)).toEqual(last === 'tool' ? roles : [...roles, last])
        // The next turn knows what came of the call.
        const next = ChatClient.create(outcome.model, {
          advisors: [chatMemoryAdvisor(memory, { order: INSIDE })],
        })
        await next.prompt('And?').conversation('c').call().content()
        expect(outcome.prompts.at(-1)!.messages.slice(0, stored.length)).toEqual(stored)
        expect(JSON.stringify(outcome.prompts.at(-1)!.messages)).not.toContain('No result')
      },
    })
  }

  scenario('a run that ends while the model thinks: what was stored is not stored again', {
    script: [STEP, { text: 'Late.', delayMs: 500 }],
    client: (stage) => ({
      limits: { runTimeoutMs: 100 },
      advisors: [chatMemoryAdvisor(memoryOf(stage), { order: INSIDE })],
    }),
    request: (client) => client.prompt('Go').conversation('c'),
    tools: ({ log }) => [step(log)],
    during: ({ clock }) => clock.advance(200),
    async check(outcome) {
      expect(outcome.result.status).toBe('limit')
      expect(rolesOf(await memoryOf(outcome).get('c'))).toEqual(['user', 'assistant', 'tool'])
    },
  })

  it('of several generations it stores the one that asks for tools', async () => {
    const scripted = scriptedModel([STEP, 'Done.'])
    const model: ChatModel = {
      ...scripted,
      async call(prompt, run) {
        const response = await scripted.call(prompt, run)
        const other = { ...response.results[0]!, message: { role: 'assistant', content: 'Hm.' } }
        return { ...response, results: [...response.results, other as Generation] }
      },
    }
    const memory = messageWindowMemory()
    const client = ChatClient.create(model, {
      tools: [step([])],
      advisors: [chatMemoryAdvisor(memory, { order: INSIDE })],
    })
    await client.prompt('Go').conversation('c').call().content()
    expect(rolesOf(await memory.get('c')).slice(0, 3)).toEqual(['user', 'assistant', 'tool'])
    expect(JSON.stringify(scripted.prompts)).not.toContain('No result')
  })

  it('goes on with the conversation in the next run', async () => {
    const model = scriptedModel([STEP, 'One.', 'Two.'])
    const client = ChatClient.create(model, {
      tools: [step([])],
      advisors: [chatMemoryAdvisor(messageWindowMemory(), { order: INSIDE })],
    })
    await client.prompt('First').conversation('c').call().content()
    await client.prompt('Second').conversation('c').call().content()
    expect(rolesOf(model.prompts[2]!.messages)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
  })

  it('conversationHistory off without such a memory is an error', () => {
    const model = scriptedModel([])
    const without = expect.objectContaining({ code: 'history-without-memory' })
    const loop = toolCallingAdvisor({ conversationHistory: false })
    expect(() => ChatClient.create(model, { advisors: [loop] })).toThrow(without)
    expect(() =>
      ChatClient.create(model, { advisors: [loop, chatMemoryAdvisor(messageWindowMemory())] }),
    ).toThrow(without)
    expect(() => ChatClient.create(model, { toolCalling: { conversationHistory: false } })).toThrow(
      without,
    )
  })
})

describe('over a suspension', () => {
  for (const [place, order] of [
    ['outside', 200],
    ['inside', INSIDE],
  ] as const) {
    scenario(`${place}: one user turn is stored, each approved call runs once`, {
      script: [
        { toolCalls: [{ name: 'step' }, { name: 'free' }] },
        { toolCalls: [{ name: 'step' }] },
        'Done.',
      ],
      client: (stage) => ({ advisors: [chatMemoryAdvisor(memoryOf(stage), { order })] }),
      request: (client) => client.prompt('Go').conversation('c'),
      tools: ({ log }) => [
        step(log, { approval: true }),
        tool({ name: 'free', execute: () => (log.push('free'), 'free') }),
      ],
      resume: [() => ({ call_1: 'approve' }), () => ({ call_3: 'approve' })],
      async check(outcome) {
        const { log, result } = outcome
        expect(log).toEqual(['free', 'ran', 'ran'])
        expect(result.status).toBe('done')
        const messages = await memoryOf(outcome).get('c')
        expect(messages.filter((message) => message.role === 'user')).toHaveLength(1)
        expect(rolesOf(messages)).toEqual(
          place === 'outside'
            ? ['user', 'assistant']
            : ['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'],
        )
      },
    })
  }
})

describe('what was said before', () => {
  it('the same words twice are said twice', async () => {
    const model = scriptedModel(['Sure?', 'Really?', 'Done.'])
    const memory = messageWindowMemory()
    const client = ChatClient.create(model, { advisors: [chatMemoryAdvisor(memory)] })
    for (let time = 0; time < 3; time++)
      await client.prompt('yes').conversation('c').call().content()
    expect(model.prompts[2]!.messages.map((message) => textOf(message))).toEqual([
      'yes',
      'Sure?',
      'yes',
      'Really?',
      'yes',
    ])
    expect(await memory.get('c')).toHaveLength(6)
  })

  it('a question that failed and is asked again stands there twice, as it was asked', async () => {
    const model = scriptedModel([{ error: new Error('down') }, 'Yes.'])
    const memory = messageWindowMemory()
    const client = ChatClient.create(model, { advisors: [chatMemoryAdvisor(memory)] })
    await expect(client.prompt('Up?').conversation('c').call().content()).rejects.toThrow('down')
    // Stored before the model was asked.
    expect(await memory.get('c')).toEqual([{ role: 'user', content: 'Up?' }])
    await client.prompt('Up?').conversation('c').call().content()
    expect(model.prompts[1]!.messages).toHaveLength(2)
  })

  it('what a request brings along itself is not said again, nor stored', async () => {
    const model = scriptedModel(['One.', 'Two.', 'Three.'])
    const memory = messageWindowMemory({ maxMessages: 2 })
    const client = ChatClient.create(model, { advisors: [chatMemoryAdvisor(memory)] })
    const first = await client.prompt('1').conversation('c').call().result()
    const user = (content: string): Message => ({ role: 'user', content })
    const second = await client
      .prompt([...first.messages, user('2')])
      .conversation('c')
      .call()
      .result()
    expect(second.messages.map((message) => textOf(message))).toEqual(['1', 'One.', '2', 'Two.'])
    // The memory's window is smaller than what the request holds.
    const third = client.prompt([...second.messages, user('3')]).conversation('c')
    await third.call().content()
    expect(model.prompts[2]!.messages).toEqual([...second.messages, user('3')])
    expect(await memory.get('c')).toHaveLength(2)
  })

  it('system messages come first; the request’s take the place of remembered ones', async () => {
    const model = scriptedModel(['a', 'b'])
    const memory = messageWindowMemory()
    await memory.add('c', [
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'Remembered' },
    ])
    const client = ChatClient.create(model, { advisors: [chatMemoryAdvisor(memory)] })
    const late: Message[] = [
      { role: 'user', content: 'Q' },
      { role: 'system', content: 'Now' },
    ]
    await client.prompt('Q').conversation('c').call().content()
    await client.prompt(late).conversation('c').call().content()
    const said = model.prompts.map(({ messages }) => messages.map((each) => textOf(each)))
    expect(said).toEqual([
      ['Remembered', 'Hi', 'Q'],
      ['Now', 'Hi', 'Q', 'a', 'Q'],
    ])
  })

  it('an example’s answer that equals the last one takes nothing away', async () => {
    const model = scriptedModel(['ok', 'ok'])
    const client = ChatClient.create(model, {
      advisors: [chatMemoryAdvisor(messageWindowMemory())],
    })
    const asked = (text: string) =>
      client.prompt([
        { role: 'user', content: 'Example' },
        { role: 'assistant', content: 'ok' },
        { role: 'user', content: text },
      ])
    await asked('One').conversation('c').call().content()
    await asked('Two').conversation('c').call().content()
    expect(model.prompts[1]!.messages.map((message) => textOf(message))).toEqual([
      'One',
      'ok',
      'Example',
      'ok',
      'Two',
    ])
  })

  it('several new messages are all remembered', async () => {
    const model = scriptedModel(['Ok.'])
    const memory = messageWindowMemory()
    const client = ChatClient.create(model, { advisors: [chatMemoryAdvisor(memory)] })
    const both: Message[] = [
      { role: 'user', content: 'One' },
      { role: 'user', content: 'Two' },
    ]
    await client.prompt(both).conversation('c').call().content()
    expect((await memory.get('c')).map((message) => textOf(message))).toEqual(['One', 'Two', 'Ok.'])
  })
})

describe('a memory that fails', () => {
  /** Fails at the n-th call of a method. */
  function failing(method: 'add' | 'get', at: number): ChatMemory {
    const memory = messageWindowMemory()
    let calls = 0
    return {
      ...memory,
      [method]: (key: string, messages: readonly Message[]) =>
        ++calls === at
          ? Promise.reject(new Error('disk full, password: hunter22'))
          : memory[method](key, messages),
    }
  }
  const GO = { text: 'Go. ', toolCalls: [{ name: 'step' }] }
  const fails = (method: 'add' | 'get', at: number, order: number): Omit<Scenario, 'check'> => ({
    script: [GO, 'Done.'],
    client: () => ({ advisors: [chatMemoryAdvisor(failing(method, at), { order })] }),
    request: (client) => client.prompt('Go').conversation('c'),
    tools: ({ log }) => [step(log)],
  })

  for (const [place, order] of [
    ['outside', 200],
    ['inside', INSIDE],
  ] as const)
    // prettier-ignore
    for (const method of ['get', 'add'] as const)
      scenario(`${place}, ${method} before the first round: rejects, the model is not asked`, {
        ...fails(method, 1, order),
        check({ error, prompts }) {
          expect(error).toMatchObject({ message: expect.stringContaining('disk full') as string })
          expect(prompts).toEqual([])
        },
      })

  for (const [place, order, at] of [
    ['outside', 200, 2],
    ['inside', INSIDE, 4],
  ] as const)
    // prettier-ignore
    scenario(`${place}, add of the answer: the answer is there, and the failure is noticed`, {
      ...fails('add', at, order),
      check({ result, events, error }) {
        expect(error).toBeUndefined()
        expect(textOf(result.response)).toBe('Done.')
        const [notice, ...others] = eventsOf(events, 'notice')
        expect(notice).toMatchObject({ code: 'memory-failed' })
        expect(notice!.message).toContain('disk full')
        expect(notice!.message).not.toContain('hunter22')
        expect(others).toEqual([])
      },
    })

  scenario('inside, add of a call: rejects before the call runs', {
    ...fails('add', 2, INSIDE),
    check({ error, log }) {
      expect(error).toMatchObject({ message: expect.stringContaining('disk full') as string })
      expect(log).toEqual([])
    },
  })

  scenario('inside, add of direct results: they are the answer all the same', {
    ...fails('add', 3, INSIDE),
    script: [GO],
    tools: ({ log }) => [step(log, { returnDirect: true })],
    check({ result, events }) {
      expect(textOf(result.response)).toBe('ok')
      expect(eventsOf(events, 'notice')).toMatchObject([{ code: 'memory-failed' }])
    },
  })
})

describe('the key', () => {
  for (const conversation of ['', 7, null, {}, { tenant: 'a' }, { tenant: '', conversation: 'c' }])
    it(`${JSON.stringify(conversation)} is none`, async () => {
      const client = ChatClient.create(scriptedModel(['x']), {
        advisors: [chatMemoryAdvisor(messageWindowMemory())],
      })
      const request = client.prompt('Go').param('conversation', conversation as never)
      await expect(request.call().content()).rejects.toMatchObject({
        code: 'missing-conversation-id',
      })
    })

  for (const mode of ['call', 'stream'] as const) {
    it(`forgetting it is an error before the model is asked (${mode})`, async () => {
      const model = scriptedModel(['x'])
      const client = ChatClient.create(model, {
        advisors: [chatMemoryAdvisor(messageWindowMemory())],
      })
      const request = client.prompt('Go')
      const run = mode === 'call' ? request.call() : request.stream()
      await expect(run.result()).rejects.toMatchObject({ code: 'missing-conversation-id' })
      expect(model.prompts).toEqual([])
    })
  }
})

describe('the repository', () => {
  it('loses nothing to concurrent appends, and finds the newest', async () => {
    const repository = inMemoryRepository()
    const said = (n: number): Message => ({ role: 'user', content: String(n) })
    await Promise.all(Array.from({ length: 100 }, (_, n) => repository.append('c', [said(n)])))
    expect(await repository.find('c')).toHaveLength(100)
    expect(await repository.find('c', { last: 2 })).toEqual([said(98), said(99)])
    expect(await repository.find('c', { last: 0 })).toEqual([])
    await repository.replace('c', [said(1)])
    expect(await repository.find('c')).toEqual([said(1)])
  })

  it('keeps keys apart that look alike, lists them and deletes them', async () => {
    const repository = inMemoryRepository()
    const keys = [
      '["a","b"]',
      { tenant: 'a', conversation: 'b' },
      'a,b',
      { tenant: 'a,b', conversation: '' },
    ]
    for (const [index, key] of keys.entries())
      await repository.append(key, [{ role: 'user', content: String(index) }])
    expect(await repository.conversations()).toEqual(keys)
    for (const [index, key] of keys.entries())
      expect(await repository.find(key)).toEqual([{ role: 'user', content: String(index) }])
    await repository.delete(keys[1]!)
    expect(await repository.conversations()).toHaveLength(3)
    expect(await repository.find(keys[1]!)).toEqual([])
  })
})

describe('strategies', () => {
  /** Six turns of one conversation; what the model was asked in the last of them. */
  const lastAsked = async (
    memory: ChatMemory,
    mode: 'call' | 'stream',
  ): Promise<readonly Message[]> => {
    const model = scriptedModel(Array.from({ length: 6 }, (_, turn) => `Answer ${turn}.`))
    const client = ChatClient.create(model, { advisors: [chatMemoryAdvisor(memory)] })
    for (let turn = 0; turn < 6; turn++)
      await client.prompt(`Question ${turn}?`).conversation('c')[mode]().result()
    return model.prompts[5]!.messages
  }

  it.each(['call', 'stream'] as const)(
    'a window of tokens sends the turns that fit, in %s',
    async (mode) => {
      const asked = await lastAsked(tokenWindowMemory({ maxTokens: 35 }), mode)
      expect(asked.map((message) => textOf(message))).toEqual([
        'Question 3?',
        'Answer 3.',
        'Question 4?',
        'Answer 4.',
        'Question 5?',
      ])
    },
  )

  it.each(['call', 'stream'] as const)('a summary stands for older turns, in %s', async (mode) => {
    const reports: SummaryReport[] = []
    const usage = { inputTokens: 20, outputTokens: 4 }
    const memory = summarisingMemory({
      model: scriptedModel([{ text: 'Two questions were answered.', usage }, 'Four were.']),
      keepTurns: 2,
      onSummary: (report) => reports.push(report),
    })
    const asked = await lastAsked(memory, mode)
    expect(asked.map((message) => textOf(message))).toEqual([
      expect.stringMatching(/^Summary of .*\n\nTwo questions were answered\.$/s),
      'Question 2?',
      'Answer 2.',
      'Question 3?',
      'Answer 3.',
      'Question 4?',
      'Answer 4.',
      'Question 5?',
    ])
    // Why the label of what it stands for matters: it is not the system who says it.
    expect(asked[0]!.role).toBe('user')
    expect(reports).toMatchObject([{ status: 'made', response: { usage } }, { status: 'made' }])
  })

  it.each(['call', 'stream'] as const)(
    'a summary that fails does not cost the answer, in %s',
    async (mode) => {
      const reports: SummaryReport[] = []
      const memory = summarisingMemory({
        model: scriptedModel([]),
        keepTurns: 2,
        onSummary: (report) => reports.push(report),
      })
      const asked = await lastAsked(memory, mode)
      expect(asked).toHaveLength(11)
      expect(reports.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed'])
    },
  )

  it.each(['call', 'stream'] as const)(
    'a summary inside the loop stands for exchanges with tools, never for one that waits, in %s',
    async (mode) => {
      const memory = summarisingMemory({
        model: scriptedModel(Array.from({ length: 9 }, () => 'Earlier.')),
        keepTurns: 1,
        onSummary: () => {},
      })
      const answers = Array.from({ length: 4 }, (): readonly ScriptedStep[] => [STEP, 'Done.'])
      const script: readonly ScriptedStep[] = [
        { toolCalls: [{ name: 'pay' }] },
        ...answers.flat(),
        'Paid.',
      ]
      const model = scriptedModel(script)
      const client = ChatClient.create(model, {
        advisors: [chatMemoryAdvisor(memory, { order: INSIDE })],
        tools: [step([]), tool({ name: 'pay', approval: true, execute: () => 'paid' })],
      })
      const first = await client.prompt('Pay').conversation('c')[mode]().result()
      for (let turn = 0; turn < 4; turn++)
        await client.prompt(`Step ${turn}`).conversation('c')[mode]().result()
      const [waiting] = first.pending!
      const done = await client
        .resume(first.state!, { [waiting!.callId]: 'approve' })
        [mode]()
        .result()
      expect(done.status).toBe('done')
      const asked = model.prompts.at(-1)!.messages
      expect(textOf(asked[0]!)).toMatch(/Earlier\.$/)
      expect(asked.slice(-3)).toMatchObject([
        { role: 'user', content: 'Pay' },
        { role: 'assistant', content: [{ type: 'tool-call', name: 'pay' }] },
        { role: 'tool', responses: [{ content: 'paid' }] },
      ])
    },
  )
})
