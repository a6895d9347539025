/** An agent over HTTP: the composed schema is what the provider holds its model to. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runAgent, type ToolSchema } from 'toolwright/agent'
import { openaiCompatible } from 'toolwright/openai'
import { appended, registryWith, SUMMARY, type Answer } from './agent-stage.ts'

let server: Server
const bodies: Record<string, any>[] = []
const answers: Answer[] = [
  {
    calls: [{ _tool: 'weather', location: 'Oslo', unit: null, _reasoningForCall: null as never }],
    output: null,
  },
  { calls: [], output: { summary: 'Mild.' } },
]

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    bodies.push(JSON.parse(text) as Record<string, any>)
    const content = JSON.stringify({
      meta: { path: null, version: '1' },
      ...(answers.shift() as object),
    })
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

it('an agent asks for its composed schema, strictly, and offers no native tools', async () => {
  const { port } = server.address() as AddressInfo
  const model = openaiCompatible('m', {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    capabilities: { structuredOutput: true },
  })
  const weather: ToolSchema = {
    type: 'object',
    description: 'Returns degrees',
    properties: { location: { type: 'string' }, unit: { enum: ['C', 'F'] } },
    required: ['location'],
  }
  const result = await runAgent(
    { model, registry: registryWith({ weather: (call) => Object.keys(call) }) },
    SUMMARY,
    [
      { type: 'tool', tool: { weather } },
      { type: 'text', text: 'How warm is it?' },
    ],
  )
  expect(result).toMatchObject({ output: { summary: 'Mild.' }, errors: [], turns: 2 })
  expect(appended(result)).toMatchObject([{ data: { result: ['_tool', 'location'] } }])
  expect(bodies[0]!.tools).toBeUndefined()
  const { strict, schema } = bodies[0]!.response_format.json_schema as {
    strict: boolean
    schema: Record<string, any>
  }
  expect(strict).toBe(true)
  expect(schema.required).toEqual(['meta', 'output', 'calls'])
  expect(schema.properties.calls.items).toMatchObject({
    properties: { _tool: { const: 'weather' }, location: { type: 'string' } },
    required: ['_tool', '_reasoningForCall', 'location', 'unit'],
    additionalProperties: false,
  })
  // The second turn has data, so its instructions offer to use it; the lowered schema lets the model do so.
  const second = bodies[1]!
  expect(second.messages[0].content).toContain('A call may say with _outputPath')
  const { properties } = second.response_format.json_schema.schema.properties.calls.items as {
    properties: Record<string, unknown>
  }
  expect(Object.keys(properties)).toEqual(
    expect.arrayContaining(['_outputPath', '_outputMethod', 'location', 'unit']),
  )
  expect(JSON.stringify(properties.unit)).toContain('^†')
})
