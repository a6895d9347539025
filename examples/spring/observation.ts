/**
 * Mirrors the observation `spring.ai.tool`: each call is watched from start to end. Arguments and
 * results are given only to an observer that asks for content, as
 * `spring.ai.tools.observations.include-content` does.
 */
import assert from 'node:assert/strict'
import { ChatClient, type Observer } from 'toolwright'
import { manualClock, scriptedModel } from 'toolwright/testing'
import { askForCustomer, CustomerTools } from './shared/customer-tools.ts'
import { received } from './shared/received.ts'

const watch = async (content: boolean) => {
  const seen: unknown[] = []
  const observer: Observer = {
    content,
    start(_kind, info) {
      if (info.kind !== 'tool') return
      return {
        end: (outcome) => {
          if (outcome.kind !== 'tool') return
          const { durationMs, failed, result } = outcome
          seen.push({ name: info.name, durationMs, failed, sent: info.arguments, result })
        },
      }
    },
  }
  const model = scriptedModel([askForCustomer, 'Customer 42 is Ada.'])
  await ChatClient.create(model, { observer, clock: manualClock() })
    .prompt('Who is customer 42?')
    .tools(new CustomerTools())
    .call()
    .content()
  return { seen, results: received(model.prompts)[1]?.results }
}

const result = '{"id":42,"name":"Ada","email":"ada@acme.test"}'
const call = { name: 'getCustomerInfo', durationMs: 0, failed: false }
const discreet = await watch(false)
assert.deepEqual(discreet.seen, [{ ...call, sent: undefined, result: undefined }])
assert.deepEqual(discreet.results, [result])
assert.deepEqual((await watch(true)).seen, [{ ...call, sent: '{"id":42}', result }])
