/** An observer sees what starts, inside what, and how it ends; without content unless it asks for it. */
import assert from 'node:assert/strict'
import { ChatClient, tool, type Observation, type Observer } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

interface Span extends Observation {
  readonly path: string
}
const spans: string[] = []
const observer: Observer = {
  start(kind, info): Span {
    const path = `${(info.parent as Span | undefined)?.path ?? ''}/${kind}:${info.name}`
    return { path, end: (outcome) => void spans.push(path + (outcome.failed ? ' failed' : '')) }
  },
}
const weather = tool({
  name: 'weather',
  description: 'The weather, when the station answers',
  execute() {
    throw new Error('The station does not answer')
  },
})
const model = scriptedModel([{ toolCalls: [{ name: 'weather' }] }, 'I could not find out.'])

const client = ChatClient.create(model, { observer, tools: [weather] })
console.log(await client.prompt('How is the weather?').call().content())
console.log(spans.join('\n'))

const loop = '/client:scripted/advisor:tool-calling'
assert.deepEqual(spans, [
  `${loop}/round:1/model:scripted`,
  `${loop}/round:1/tool:weather failed`,
  `${loop}/round:1`,
  `${loop}/round:2/model:scripted`,
  `${loop}/round:2`,
  loop,
  '/client:scripted',
])
