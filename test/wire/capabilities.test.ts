/** What happens when a model is asked for more than it can do: the same for every provider. */
import { readdirSync, readFileSync } from 'node:fs'
import { faultServer, type FaultServer } from '@toolwright/fault-server'
import {
  ChatClient,
  tool,
  type ChatEvent,
  type ChatOptions,
  type Message,
  type ModelCapabilities,
  type ToolCallback,
} from 'toolwright'
import { ollama } from 'toolwright/ollama'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { EVERY_WAY, MODELS, type Mode } from './dialects.ts'

let server: FaultServer | undefined
afterEach(() => server?.close())

const named = (name: string): ToolCallback =>
  tool({ name, description: 'A tool', input: z.object({}), execute: () => 'done' })
const first = named('first_tool')
const second = named('second_tool')

interface Asked {
  readonly capabilities: ModelCapabilities
  readonly options?: ChatOptions
  readonly content?: Message
}

async function ask(
  dialect: keyof typeof MODELS,
  mode: Mode,
  { capabilities, options = {}, content }: Asked,
): Promise<{ notices: readonly string[]; text: string }> {
  server = await faultServer({ dialect, turns: [{ text: ['{"a":1}'] }] })
  const { baseUrl } = server
  const model = MODELS[dialect]({ baseUrl, apiKey: 'some-key', retry: false, capabilities })
  const prompt = { messages: [content ?? ({ role: 'user', content: 'Go' } as const)], options }
  const events: ChatEvent[] = []
  if (mode === 'call') await model.call(prompt, { emit: (event) => events.push(event) })
  else for await (const event of model.stream(prompt)) events.push(event)
  expect(server.violations).toEqual([])
  const notices = events.flatMap((event) => (event.type === 'notice' ? [event.code] : []))
  return { notices, text: server.requests[0]!.text }
}

describe.each(EVERY_WAY)('%s, by %s', (dialect, mode) => {
  const tools = [first, second]

  it('offers only the chosen tool to a model that cannot be made to call it', async () => {
    const options: ChatOptions = { tools, toolChoice: { tool: 'second_tool' } }
    const { notices, text } = await ask(dialect, mode, {
      capabilities: { toolChoice: false },
      options,
    })
    expect(notices).toEqual(['tool-choice-not-supported'])
    expect(text).toContain('second_tool')
    expect(text).not.toContain('first_tool')
    expect(text).not.toMatch(/tool_?choice/i)
  })

  it('says when a model may answer without the call that was required', async () => {
    const { notices, text } = await ask(dialect, mode, {
      capabilities: { toolChoice: false },
      options: { tools, toolChoice: 'required' },
    })
    expect(notices).toEqual(['tool-choice-not-supported'])
    expect(text).toContain('first_tool')
    expect(text).not.toMatch(/tool_?choice/i)
  })

  it('offers nothing where nothing may be called', async () => {
    const { notices, text } = await ask(dialect, mode, {
      capabilities: { toolChoice: false },
      options: { tools, toolChoice: 'none' },
    })
    expect(notices).toEqual([])
    expect(text).not.toContain('first_tool')
  })

  it('says nothing of one call at a time to a model that does not know it', async () => {
    const options: ChatOptions = { tools, parallelToolCalls: false }
    const without = await ask(dialect, mode, { capabilities: { parallelOff: false }, options })
    expect(without.text).not.toMatch(/parallel/i)
    expect(without.notices).toEqual([])
  })

  it('puts words in the place of media that the model does not take', async () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA', name: 'a.png' } as const
    const file = {
      type: 'file',
      mediaType: 'application/pdf',
      data: 'AAAA',
      name: 'b.pdf',
    } as const
    const content: Message = { role: 'user', content: [image, file, { type: 'text', text: 'See' }] }
    const { notices, text } = await ask(dialect, mode, {
      capabilities: { media: false, files: false },
      content,
    })
    expect(notices).toEqual(['media-not-supported'])
    expect(text).not.toContain('AAAA')
    expect(text).toContain('[image \\"a.png\\" (image/png) left out')
    expect(text).toContain('[file \\"b.pdf\\" (application/pdf) left out')
  })

  it('refuses tools for a model without, and says what helps', async () => {
    const asked = ask(dialect, mode, { capabilities: { tools: false }, options: { tools } })
    await expect(asked).rejects.toMatchObject({
      code: 'model-without-tools',
      message: expect.stringMatching(/"first_tool", "second_tool".*promptedTools\(model\)/),
    })
    expect(server!.requests).toEqual([])
  })

  it('leaves a question alone that the model can answer', async () => {
    const { notices } = await ask(dialect, mode, { capabilities: {}, options: { tools } })
    expect(notices).toEqual([])
  })
})

describe('the model that a prompt asks for', () => {
  const schema = { type: 'object', properties: { a: { type: 'number' } } } as const

  it.each(['call', 'stream'] as const)('decides what it is asked, by %s', async (mode) => {
    const old = 'claude-3-haiku-20240307'
    const natively = await ask('anthropic', mode, {
      capabilities: {},
      options: { outputSchema: schema },
    })
    expect(natively.text).toContain('output_config')
    await server!.close()
    const inWords = await ask('anthropic', mode, {
      capabilities: {},
      options: { outputSchema: schema, model: old },
    })
    expect(inWords.text).toContain(old)
    expect(inWords.text).not.toContain('output_config')
    expect(inWords.text).toContain('must be JSON that fits this schema')
  })
})

it('reads as a notice of the run, through a client', async () => {
  server = await faultServer({ dialect: 'anthropic', turns: [{ text: ['Hi'] }] })
  const { baseUrl } = server
  const capabilities = { toolChoice: false }
  const model = MODELS.anthropic({ baseUrl, apiKey: 'some-key', capabilities })
  const request = ChatClient.create(model).prompt('Go').tools(first)
  const run = request.options({ toolChoice: { tool: 'first_tool' } }).call()
  const events: ChatEvent[] = []
  for await (const event of run.events()) events.push(event)
  expect(events).toContainEqual(
    expect.objectContaining({
      code: 'tool-choice-not-supported',
      runId: expect.any(String),
      round: 1,
    }),
  )
})

describe('core', () => {
  it('never looks at the name of a provider', () => {
    const root = new URL('../../packages/toolwright/src/', import.meta.url)
    const NAMES =
      /['"`](?:openai(?:-compatible)?|anthropic|google|gemini|ollama|mistral|azure)['"`]/
    const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
      .filter((file) => !/^(?:providers\/(?!wire)|testing\/)/.test(file))
      .filter((file) =>
        readFileSync(new URL(file, root), 'utf8')
          .split('\n')
          .some((line) => NAMES.test(line) && !/^\s*(?:\*|\/\/|\/\*\*)/.test(line)),
      )
    // The languages of schemas are named after those who take them; it is a dialect that chooses one.
    expect(found.filter((file) => !/schema/.test(file))).toEqual([])
  })
})

describe('the model that a request asks, where it is another one than the client has', () => {
  const offered = async (own: string, asked: string) => {
    const server = await faultServer({ dialect: 'ollama', turns: [{ text: ['Hi'] }] })
    onTestFinished(() => server.close())
    const now = tool({ name: 'now', description: 'Tell the time', execute: () => '12:00' })
    const client = ChatClient.create(ollama(own, { baseUrl: server.baseUrl }))
    const run = client.prompt('Hi').tools(now).options({ model: asked }).call()
    const notices: string[] = []
    for await (const event of run.events()) if (event.type === 'notice') notices.push(event.code)
    const { tools } = server.requests[0]!.body as { tools?: unknown }
    return { isOffered: tools !== undefined, notices }
  }

  it('is offered tools if it takes them', async () => {
    expect(await offered('gemma3', 'qwen3')).toEqual({ isOffered: true, notices: [] })
  })

  it('is asked without them if it does not', async () => {
    expect(await offered('qwen3', 'gemma3')).toEqual({
      isOffered: false,
      notices: ['tools-not-supported'],
    })
  })
})

describe('capabilities that a caller gives', () => {
  it.each([
    [{ tool: true }, 'unknown-option', /tools/],
    [{ tools: 'no' }, 'invalid-option', /tools/],
    ['all', 'invalid-option', /capabilities/],
  ])('are refused if they are none: %j', (capabilities, code, words) => {
    const make = (): unknown => ollama('qwen3', { capabilities: capabilities as never })
    expect(make).toThrow(expect.objectContaining({ code }))
    expect(make).toThrow(words)
  })

  it('do not give an API what it has no place for', () => {
    const { capabilities } = ollama('qwen3', { capabilities: { toolChoice: true, media: true } })
    expect(capabilities).toMatchObject({ toolChoice: false, media: true })
  })
})
