/** An `inputSchema` that was JSON text, as others write it, was sent and checked as text. */
import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  methodTool,
  toolRegistry,
  toolsOf,
  type ToolCallback,
  type ToolSource,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { scenario, toldByTools } from '../e2e/scenario.ts'

const SCHEMA = {
  type: 'object',
  properties: { days: { type: 'integer' } },
  required: ['days'],
}
const TEXT = JSON.stringify(SCHEMA)

class FromScratch {
  readonly #prefix = 'got'
  readonly metadata = { returnDirect: false, hints: {}, effect: 'once' } as const
  readonly definition
  constructor(inputSchema: string) {
    this.definition = { name: 'wait', description: 'Wait', inputSchema }
  }
  async call(input: string): Promise<string> {
    return `${this.#prefix} ${input}`
  }
}
const scratch = (inputSchema = TEXT) => new FromScratch(inputSchema) as unknown as ToolCallback

class Waiting {
  wait({ days }: { days: number }): string {
    return `waited ${days}`
  }
}

const SOURCES: readonly (readonly [string, () => ToolSource, string])[] = [
  ['a callback from scratch', () => scratch(), 'got {"days":3}'],
  ['one in a record', () => ({ wait: scratch() }), 'got {"days":3}'],
  ['one of a provider', () => ({ toolCallbacks: () => [scratch()] }), 'got {"days":3}'],
  [
    'methodTool()',
    () => methodTool({ object: new Waiting(), method: 'wait', inputSchema: TEXT }),
    'waited 3',
  ],
]

for (const [name, source, told] of SOURCES)
  scenario(`JSON text is shown and checked as the schema that it is: ${name}`, {
    script: [
      {
        toolCalls: [
          { name: 'wait', arguments: { days: '3' } },
          { name: 'wait', arguments: { days: 'many' } },
        ],
      },
      'Done.',
    ],
    tools: () => [source()],
    check({ prompts }) {
      const [offered] = prompts[0]!.options!.tools as readonly ToolCallback[]
      expect(offered!.definition.inputSchema).toEqual(SCHEMA)
      expect(toldByTools(prompts[1])).toEqual([
        { content: told },
        { content: expect.stringContaining('$.days'), isError: true },
      ])
    },
  })

describe('JSON text in an inputSchema', () => {
  it('is read where a resolver gives the tool', async () => {
    const model = scriptedModel(['Done.'])
    const resolver = toolRegistry({ wait: scratch() })
    await ChatClient.create(model, { resolver }).prompt('Go').toolNames('wait').call().content()
    const [offered] = model.prompts[0]!.options!.tools as readonly ToolCallback[]
    expect(offered!.definition.inputSchema).toEqual(SCHEMA)
  })

  it('gives one tool for one callback, so that locks and rates stay its own', () => {
    const tool = scratch()
    expect(toolsOf(tool)[0]).toBe(toolsOf([tool])[0])
  })

  it.each(['', 'no', '[]', '"object"', '{"type":'])('%j is refused', (text) => {
    expect(() => toolsOf(scratch(text))).toThrow('not the JSON text of an object')
    expect(() => methodTool({ method: () => 1, name: 'x', inputSchema: text } as never)).toThrow(
      'not the JSON text of an object',
    )
  })
})
