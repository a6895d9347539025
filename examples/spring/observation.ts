/**
 * Mirrors the observation `spring.ai.tool`: each call is watched from start to end, also one that
 * fails. Arguments and results are given only to an observer that asks for content, as
 * `spring.ai.tools.observations.include-content` does.
 */
import assert from 'node:assert/strict'
import { ChatClient, tool, type Observer } from 'toolwright'
import { manualClock, scriptedModel } from 'toolwright/testing'
import { z } from 'zod'
import { customerRepository } from './shared/customers.ts'
import { received } from './shared/received.ts'

const watch = async (content: boolean) => {
  const clock = manualClock()
  const seen: unknown[] = []
  const observer: Observer = {
    content,
    start(_kind, info) {
      if (info.kind !== 'tool') return
      seen.push(`${info.name} starts`)
      return {
        end: (outcome) => {
          if (outcome.kind !== 'tool') return
          const { durationMs, failed, result } = outcome
          seen.push({ durationMs, failed, sent: info.arguments, result })
        },
      }
    },
  }
  const getCustomerInfo = tool({
    name: 'getCustomerInfo',
    input: z.object({ id: z.number().int() }),
    async execute({ id }) {
      await clock.advance(250)
      return customerRepository.findById(id)
    },
  })
  const ask = (id: number) => ({ toolCalls: [{ name: 'getCustomerInfo', arguments: { id } }] })
  const model = scriptedModel([ask(42), ask(7), 'Customer 42 is Ada, and there is no 7.'])
  const client = ChatClient.create(model, { observer, clock, tools: [getCustomerInfo] })
  await client.prompt('Who are 42 and 7?').call().content()
  return {
    seen,
    results: received(model.prompts)
      .slice(1)
      .flatMap(({ results }) => results),
  }
}

const result = '{"id":42,"name":"Ada","email":"ada@acme.test"}'
const error = 'There is no customer 7'
const outcomes = (first: object, second: object) => [
  'getCustomerInfo starts',
  { durationMs: 250, failed: false, sent: undefined, result: undefined, ...first },
  'getCustomerInfo starts',
  { durationMs: 250, failed: true, sent: undefined, result: undefined, ...second },
]
const { seen, results } = await watch(false)
assert.deepEqual([seen, results], [outcomes({}, {}), [result, { error }]])
const told = outcomes({ sent: '{"id":42}', result }, { sent: '{"id":7}', result: error })
assert.deepEqual((await watch(true)).seen, told)
