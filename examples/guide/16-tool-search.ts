/** Five hundred tools, of which the model sees one, and then the few it asked for. */
import assert from 'node:assert/strict'
import { ChatClient, tool, type Prompt, type ToolCallback } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { keywordToolIndex, toolSearchAdvisor, toolTokens } from 'toolwright/tool-search'

const verbs = 'Create List Update Delete Export'.split(' ')
const things = Array.from({ length: 99 }, (_none, at) => `Record${at}`)
const tools = [...things, 'Invoice'].flatMap((thing) =>
  verbs.map((verb) =>
    tool({
      name: `${verb.toLowerCase()}${thing}`,
      description: `${verb} ${thing === 'Invoice' ? 'an invoice for a customer' : `a ${thing}`}`,
      input: { type: 'object', properties: { customer: { type: 'string' } } },
      execute: ({ customer }) => `${verb} ${thing}: done for ${customer ?? 'nobody'}`,
    }),
  ),
)
const search = { name: 'toolSearchTool', arguments: { queries: ['make a bill for a customer'] } }
const model = scriptedModel([
  { toolCalls: [search] },
  { toolCalls: [{ name: 'createInvoice', arguments: { customer: 'Ann' } }] },
  'Ann was billed.',
])
const advisors = [toolSearchAdvisor({ index: keywordToolIndex() })]
await ChatClient.create(model, { tools, advisors }).prompt('Bill Ann, please').call().content()

const offered = ({ options }: Prompt) =>
  (options?.tools as readonly ToolCallback[]).map(({ definition }) => definition)
assert.equal(tools.length, 500)
assert.deepEqual(
  offered(model.prompts[0]!).map(({ name }) => name),
  ['toolSearchTool'],
)
assert.ok(offered(model.prompts[1]!).some(({ name }) => name === 'createInvoice'))
assert.match(JSON.stringify(model.prompts[2]!.messages.at(-1)), /Create Invoice: done for Ann/)
const sent = model.prompts.map((prompt) => toolTokens(offered(prompt)))
console.log(
  `${toolTokens(tools.map(({ definition }) => definition))} tokens; sent: ${sent.join(', ')}`,
)
