/** `stopWhen` once ended a run like a limit: `content()` rejected though the program had what it wanted. */
import { describe, expect, it } from 'vitest'
import { afterRounds, ChatClient, messageWindowMemory, onToolCall, textOf, tool } from 'toolwright'
import { chatMemoryAdvisor } from 'toolwright'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'
import { scenario } from '../e2e/scenario.ts'

const step = (log: unknown[]) => tool({ name: 'step', execute: () => void log.push('step') })
const submit = (log: unknown[]) => tool({ name: 'submit', execute: () => void log.push('submit') })
const steps = (text: string, name = 'step'): ScriptedStep => ({ text, toolCalls: [{ name }] })

describe('stopWhen', () => {
  scenario('ends a run as wanted: done, stop-condition, the text of the last round', {
    script: [steps('One.'), steps('Two.'), 'Never asked.'],
    tools: ({ log }) => [step(log)],
    client: () => ({ toolCalling: { stopWhen: afterRounds(2) } }),
    check({ result, legs, log, model, mode }) {
      expect(result.status).toBe('done')
      expect(result.response.results[0]!.finishReason).toBe('stop-condition')
      expect(textOf(result.response)).toBe('Two.')
      expect(legs[0]!.text).toBe(mode === 'call' ? 'Two.' : 'One.\n\nTwo.')
      expect(log).toEqual(['step', 'step'])
      expect(result.messages.at(-1)!.role).toBe('tool')
      expect(model.remaining).toBe(1)
    },
  })

  for (const [streamToolCallResponses, text] of [
    [true, 'One.\n\nTwo.'],
    [false, 'Two.'],
  ] as const)
    scenario(
      `with streamToolCallResponses ${streamToolCallResponses}, the text that belongs to it`,
      {
        script: [steps('One.'), steps('Two.')],
        tools: ({ log }) => [step(log)],
        client: () => ({ toolCalling: { stopWhen: afterRounds(2), streamToolCallResponses } }),
        answerHoldsAllText: true,
        check: ({ legs }) => void expect(legs[0]!.text).toBe(text),
      },
    )

  scenario('wins over a limit that is met at the same time', {
    script: [steps('One.')],
    tools: ({ log }) => [step(log)],
    client: () => ({
      limits: { rounds: 1 },
      onLimit: 'throw',
      toolCalling: { stopWhen: afterRounds(1) },
    }),
    check: ({ result }) => void expect(result.status).toBe('done'),
  })

  scenario('without it the same limit is a limit', {
    script: [steps('One.')],
    tools: ({ log }) => [step(log)],
    client: () => ({ limits: { rounds: 1 }, toolCalling: { stopWhen: afterRounds(2) } }),
    check({ result, textError }) {
      expect(result.status).toBe('limit')
      expect(textError).toMatchObject({ code: 'run-limit', limit: 'rounds' })
    },
  })

  scenario('onToolCall ends the run at the call of that tool, after it ran', {
    script: [steps('One.'), steps('Handing in.', 'submit'), 'Never asked.'],
    tools: ({ log }) => [step(log), submit(log)],
    client: () => ({ toolCalling: { stopWhen: onToolCall('submit') } }),
    check({ log, result }) {
      expect(log).toEqual(['step', 'submit'])
      expect(result.response.results[0]!.finishReason).toBe('stop-condition')
    },
  })

  scenario('counts the rounds before a suspension', {
    script: [steps('One.', 'pay'), steps('Two.'), 'Never asked.'],
    tools: ({ log }) => [step(log), tool({ name: 'pay', approval: true, execute: () => 'ok' })],
    client: () => ({ toolCalling: { stopWhen: afterRounds(2) } }),
    resume: [() => ({ call_1: 'approve' })],
    check: ({ result }) => void expect(textOf(result.response)).toBe('Two.'),
  })

  scenario('a resumed run may end before the model is asked again', {
    script: [steps('One.', 'pay'), 'Never asked.'],
    tools: () => [tool({ name: 'pay', approval: true, execute: () => 'ok' })],
    client: () => ({ toolCalling: { stopWhen: onToolCall('pay') } }),
    resume: [() => ({ call_1: 'approve' })],
    check({ legs, result }) {
      expect(result.status).toBe('done')
      expect(legs.at(-1)!.text).toBe('One.')
    },
  })

  it('a memory keeps no call whose result it does not hold', async () => {
    const memory = messageWindowMemory()
    const client = ChatClient.create(scriptedModel([steps('One.')]), {
      tools: [step([])],
      advisors: [chatMemoryAdvisor(memory)],
      toolCalling: { stopWhen: afterRounds(1) },
    })
    await client.prompt('Go').conversation('c').call().content()
    expect(await memory.get('c')).toEqual([
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: [{ type: 'text', text: 'One.' }] },
    ])
  })
})

describe('ready-made conditions', () => {
  for (const rounds of [0, -1, 1.5, NaN, '3', undefined])
    it(`afterRounds(${String(rounds)}) is refused`, () => {
      expect(() => afterRounds(rounds as number)).toThrow(
        expect.objectContaining({ code: 'invalid-option' }),
      )
    })

  for (const name of ['', undefined, 5])
    it(`onToolCall(${JSON.stringify(name)}) is refused`, () => {
      expect(() => onToolCall(name as string)).toThrow(
        expect.objectContaining({ code: 'invalid-option' }),
      )
    })
})
