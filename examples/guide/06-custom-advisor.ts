/** An advisor stands between client and model: inside the loop it sees every round, outside the whole run once. */
import assert from 'node:assert/strict'
import { advisor, ChatClient, ORDER, tool, type Advisor } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

const asked: number[] = []
const eachRound = advisor({
  name: 'each-round',
  order: ORDER.toolCalling + 1,
  before: (request) => void asked.push(request.round),
})
const shout: Advisor = {
  name: 'shout',
  order: ORDER.first,
  // Events take one road, request.emit: wrap it to see or change them, use it to tell something yourself.
  async advise(request, next) {
    const answer = await next({
      ...request,
      emit: (event) =>
        request.emit(
          event.type === 'text-delta' ? { ...event, text: event.text.toUpperCase() } : event,
        ),
    })
    request.emit({ type: 'notice', code: 'shout', message: `${answer.rounds.length} rounds` })
    return answer
  },
}
const ping = tool({ name: 'ping', description: 'Ping', execute: () => 'pong' })
const model = scriptedModel([{ toolCalls: [{ name: 'ping' }] }, 'pong'])

const run = ChatClient.create(model, { advisors: [eachRound, shout] })
  .prompt('Ping?')
  .tools(ping)
  .stream()
for await (const event of run) if (event.type === 'notice') console.log(event.message)

assert.deepEqual(asked, [1, 2])
assert.equal((await run.result()).rounds.length, 2)
