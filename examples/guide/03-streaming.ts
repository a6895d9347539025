/** A stream shows everything as it happens: text, calls, progress, results. */
import assert from 'node:assert/strict'
import { ChatClient, tool } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

const download = tool({
  name: 'download',
  description: 'Download the report',
  async *execute() {
    for (const percent of [25, 50, 100]) yield { percent }
    return 'report of 12 pages'
  },
})
const model = scriptedModel([{ toolCalls: [{ name: 'download' }] }, 'The report has 12 pages.'])

const seen: string[] = []
const run = ChatClient.create(model).prompt('How long is the report?').tools(download).stream()
for await (const event of run) {
  if (event.type === 'text-delta') process.stdout.write(event.text)
  if (event.type === 'tool-progress') console.log('progress', event.progress)
  if (seen.at(-1) !== event.type) seen.push(event.type)
}
console.log()
assert.deepEqual(seen, [
  'tool-call-start',
  'tool-call-delta',
  'tool-call',
  'round-end',
  'tool-execution-start',
  'tool-progress',
  'tool-result',
  'text-delta',
  'round-end',
  'response',
])
