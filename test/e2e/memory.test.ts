/** Conversations that are remembered: outside the loop, inside it, and over a suspension. */
import { describe, expect, it } from 'vitest'
import {
  advisor,
  ChatClient,
  chatMemoryAdvisor,
  inMemoryRepository,
  messageWindowMemory,
  textOf,
  tool,
  toolCallingAdvisor,
  type ChatMemory,
  type Message,
  type ToolSource,
} from 'toolwright'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'
import { scenario, type Stage } from './scenario.ts'

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

describe('the key', () => {
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
