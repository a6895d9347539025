/** What tools, policies, rules and hooks are shown of a run are copies, or cannot be changed. */
import { describe, expect, it } from 'vitest'
import { ChatClient, tool, type LoopState, type Message, type RunState } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { eventsOf, scenario, toldByTools } from '../e2e/scenario.ts'

/** Changes whatever can be changed, at every depth. */
function vandalise(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    vandalise(inner)
    try {
      ;(value as Record<string, unknown>)[key] = 'vandalised'
    } catch {
      // It cannot be changed, which is fine.
    }
  }
  try {
    if (Array.isArray(value)) value.push('vandalised')
    else Object.assign(value, { extra: 'vandalised' })
  } catch {
    // Neither can this.
  }
}

scenario('a tool that needs the history gets a copy', {
  script: [{ toolCalls: [{ name: 'look' }] }, { toolCalls: [{ name: 'look' }] }, 'Done.'],
  request: (client) =>
    client.prompt([
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      { role: 'assistant', content: 'Hi' },
      { role: 'user', content: 'Go' },
    ]),
  tools: ({ log }) => [
    tool({
      name: 'look',
      needs: ['history'],
      execute(_input, { history }) {
        log.push(JSON.stringify(history))
        vandalise(history)
        expect(() => (history as Message[]).push({ role: 'user', content: 'x' })).toThrow(TypeError)
        return 'looked'
      },
    }),
  ],
  check({ log, prompts, result }) {
    expect(log).toHaveLength(2)
    expect(log[0]).toContain('Hello')
    expect(log[1]).toContain('looked')
    expect(JSON.stringify([prompts, result.messages, log])).not.toContain('vandalised')
  },
})

const pay = (log: unknown[], options: object = {}) =>
  tool({
    name: 'pay',
    description: 'Pay',
    input: {
      type: 'object',
      properties: { to: { type: 'object', properties: { name: { type: 'string' } } } },
    },
    labels: { sends: true },
    ...options,
    execute: (input) => (log.push(JSON.stringify(input)), 'paid'),
  })
const PAY = { toolCalls: [{ name: 'pay', id: 'p', arguments: { to: { name: 'Ada' } } }] }
const AS_ASKED = ['{"to":{"name":"Ada"}}', '{"to":{"name":"Ada"}}']

scenario('a policy gets copies: what runs is what the model asked for', {
  script: [PAY, PAY, 'Done.'],
  tools: ({ log }) => [pay(log)],
  client: () => ({
    policy(call) {
      vandalise(call)
      return 'allow'
    },
  }),
  check({ log, prompts, events }) {
    expect(log).toEqual(AS_ASKED)
    expect(JSON.stringify([prompts, eventsOf(events, 'tool-execution-start')])).not.toContain(
      'vandalised',
    )
  },
})

scenario('an approval rule and a preview too: what is shown and what runs are the same', {
  script: [PAY, PAY, 'Done.'],
  tools: ({ log }) => [
    pay(log, {
      approval: (input: unknown) => (vandalise(input), log.length === 0),
      preview: (input: unknown) => (vandalise(input), 'a preview'),
    }),
  ],
  resume: [() => ({ p: 'approve' })],
  check({ legs, log }) {
    expect(legs[0]!.result!.pending![0]!.input).toEqual({ to: { name: 'Ada' } })
    expect(log).toEqual(AS_ASKED)
  },
})

scenario('an answer is a copy: a tool that asks twice finds the first as it was given', {
  script: [{ toolCalls: [{ name: 'ask', id: 'a' }] }, 'Done.'],
  tools: ({ log }) => [
    tool({
      name: 'ask',
      execute(_input, { suspend }) {
        const first = suspend('first?')
        log.push(JSON.stringify(first))
        vandalise(first)
        suspend('second?')
        return 'ok'
      },
    }),
  ],
  resume: [() => ({ a: { answer: { deep: [1] } } }), () => ({ a: { answer: 2 } })],
  check({ log, prompts }) {
    expect(log).toEqual(['{"deep":[1]}', '{"deep":[1]}'])
    expect(toldByTools(prompts[1])).toEqual([{ content: 'ok' }])
  },
})

let question = { text: 'sure?' }
scenario('a question is a copy: what is asked is what was asked then', {
  script: [{ toolCalls: [{ name: 'ask', id: 'a' }] }, 'Done.'],
  tools: () => {
    question = { text: 'sure?' }
    return [tool({ name: 'ask', execute: (_input, { suspend }) => suspend(question) })]
  },
  resume: [() => ({ a: { answer: 'yes' } })],
  check({ legs }) {
    vandalise(question)
    expect(legs[0]!.result!.pending![0]!.question).toEqual({ text: 'sure?' })
  },
})

describe('hooks of the loop', () => {
  it('change a run by what they return, not by what they are shown, nor another run', async () => {
    const model = scriptedModel([PAY, PAY, 'Done.', PAY, PAY, 'Done.'])
    const log: unknown[] = []
    const tools = [pay(log)]
    const spoil = (list: readonly unknown[] | undefined): void => {
      try {
        ;(list as unknown[]).push('vandalised')
      } catch {
        // It cannot be changed, which is fine.
      }
    }
    const spoilState = (state: LoopState): void => {
      vandalise(state.counters)
      vandalise(state.pending)
      for (const list of [state.messages, state.rounds, state.answered]) spoil(list)
      try {
        ;(state.counters as { total: number }).total = 1_000
      } catch {
        // Neither can this.
      }
    }
    const client = ChatClient.create(model, {
      tools,
      toolCalling: {
        beforeRound(request, state) {
          spoilState(state)
          spoil(request.prompt.messages)
          spoil(request.prompt.options?.tools)
          Object.assign(request.prompt.options!, { toolChoice: 'none', maxTokens: 1 })
        },
        afterRound: (_response, state) => spoilState(state),
        nextMessages(messages, state) {
          spoilState(state)
          const all = [...messages]
          spoil(messages)
          return all
        },
        stopWhen: (state) => (spoilState(state), false),
      },
    })
    for (let run = 0; run < 2; run++) await client.prompt('Go').call().content()
    expect(log).toEqual([...AS_ASKED, ...AS_ASKED])
    expect(tools).toHaveLength(1)
    expect(JSON.stringify(model.prompts)).not.toContain('vandalised')
    expect(model.prompts.map(({ options }) => options?.maxTokens)).not.toContain(1)
  })
})

describe('the state and the decisions of a resume', () => {
  it('count as they were when the run was resumed, whatever is done to them afterwards', async () => {
    const log: unknown[] = []
    const given: { state?: RunState } = {}
    const client = ChatClient.create(scriptedModel([PAY, 'Done.']), {
      tools: [pay(log, { approval: true })],
      advisors: [
        {
          name: 'vandal',
          order: 100,
          advise(request, next) {
            vandalise(request.resume)
            vandalise(given.state)
            return next(request)
          },
        },
      ],
    })
    const { state } = await client.prompt('Go').call().result()
    given.state = JSON.parse(JSON.stringify(state)) as RunState
    const decisions = { p: { edit: { to: { name: 'Bob' } } } }
    const { status } = await client.resume(given.state, decisions).call().result()
    expect(status).toBe('done')
    expect(log).toEqual(['{"to":{"name":"Bob"}}'])
  })
})
