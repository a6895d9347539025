/** Names of tools that providers refuse: nobody but the provider sees what they are sent as. */
import { faultServer, type FaultScript, type FaultServer } from '@toolwright/fault-server'
import { ChatClient, tool, type ChatEvent, type Message, type ToolCallback } from 'toolwright'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { EVERY_WAY, MODELS, type Mode, type ModelOptions } from './dialects.ts'

const LONG = `mcp.${'tool-of-a-server-'.repeat(7)}`
const ODD = ['files/read', 'files read', 'déjà vu 🎉', LONG, `${LONG}2`] as const
const PLAIN = ['plain', 'files_read', 'files-read'] as const
/** Some providers take it. */
const DOTTED = 'files.read'
/** Allowed, but what "files read" is sent as. */
const TAKEN = 'files_x20_read'
const ALL = [...ODD, ...PLAIN, DOTTED, TAKEN]

let server: FaultServer | undefined
afterEach(() => server?.close())

/** The names of tools in what was sent. */
const namesSent = (at: number): readonly string[] =>
  Array.from(server!.requests[at]!.text.matchAll(/"name":"((?:[^"\\]|\\.)*)"/g), ([, name]) =>
    String(name),
  )

const echo = (name: string, ran: string[]): ToolCallback =>
  tool({
    name,
    description: 'Says its name',
    input: z.object({}),
    execute: () => {
      ran.push(name)
      return `This was ${name}`
    },
  })

async function clientOf(
  dialect: keyof typeof MODELS,
  turns: FaultScript,
  more: Partial<ModelOptions> = {},
): Promise<ChatClient> {
  server = await faultServer({ dialect, turns })
  const options = { baseUrl: server.baseUrl, apiKey: 'some-key', retry: false, ...more }
  return ChatClient.create(MODELS[dialect](options))
}

async function ask(
  request: ReturnType<ChatClient['prompt']>,
  mode: Mode,
): Promise<{ events: ChatEvent[]; messages: readonly Message[] }> {
  const run = mode === 'call' ? request.call() : request.stream()
  const events: ChatEvent[] = []
  for await (const event of run.events()) events.push(event)
  const { messages } = await run.result()
  return { events, messages }
}

describe.each(EVERY_WAY)('names that %s refuses, by %s', (dialect, mode) => {
  it('are sent as others and come back as themselves, everywhere', async () => {
    const ran: string[] = []
    const client = await clientOf(dialect, (step) =>
      step === 1
        ? { toolCalls: namesSent(0).map((name) => ({ name, arguments: ['{}'] })) }
        : { text: ['Done'] },
    )
    const tools = ALL.map((name) => echo(name, ran))
    const { events, messages } = await ask(client.prompt('Go').tools(...tools), mode)

    expect(server!.violations).toEqual([])
    expect(ran.toSorted()).toEqual(ALL.toSorted())
    const offered = namesSent(0)
    expect(new Set(offered).size).toBe(ALL.length)
    for (const name of PLAIN) expect(offered).toContain(name)
    for (const name of ODD) expect(offered).not.toContain(name)

    const told = events.flatMap((event) =>
      event.type === 'tool-call-start'
        ? [event.name]
        : event.type === 'tool-call'
          ? [event.toolCall.name]
          : [],
    )
    expect(told.toSorted()).toEqual([...ALL, ...ALL].toSorted())
    for (const name of offered.filter((each) => !ALL.includes(each)))
      expect(JSON.stringify([events, messages])).not.toContain(name)
    // What is offered, and the calls and results of the history.
    for (const name of new Set(namesSent(1))) expect(offered).toContain(name)
  })

  it('are the same on the wire whatever else is offered, and when they are not offered any more', async () => {
    const client = await clientOf(dialect, (step) =>
      step === 1
        ? { toolCalls: namesSent(0).map((name) => ({ name, arguments: ['{}'] })) }
        : { text: ['Done'] },
    )
    const { messages } = await ask(client.prompt('Go').tools(echo('files read', [])), mode)
    const [wireName] = namesSent(0)
    const later = client.prompt().messages(...messages, { role: 'user', content: 'And now?' })
    await ask(later.tools(echo('plain', []), echo('files read', [])), mode)
    const history = JSON.parse(server!.requests.at(-1)!.text) as { tools?: unknown }
    delete history.tools
    expect(server!.violations).toEqual([])
    expect(JSON.stringify(history)).toContain(`"name":"${wireName}"`)
    expect(JSON.stringify(history)).not.toContain('"name":"files read"')
  })

  it('come back also when they are called without being offered any more', async () => {
    const client = await clientOf(dialect, (step) =>
      step % 2 === 1
        ? { toolCalls: [{ name: namesSent(0)[0]!, arguments: ['{}'] }] }
        : { text: ['Done'] },
    )
    const { messages } = await ask(client.prompt('Go').tools(echo(LONG, [])), mode)
    const later = client.prompt().messages(...messages, { role: 'user', content: 'Again' })
    const { events } = await ask(later.tools(echo('plain', [])), mode)
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool-call-start', name: LONG }))
    expect(server!.violations).toEqual([])
  })

  it('may be chosen', async () => {
    const client = await clientOf(dialect, [{ text: ['Done'] }])
    const request = client.prompt('Go').tools(echo('files read', []), echo('plain', []))
    await ask(request.options({ toolChoice: { tool: 'files read' } }), mode)
    const text = server!.requests[0]!.text
    expect(text).not.toContain('"files read"')
    const [wireName] = namesSent(0).filter((name) => name.startsWith('files'))
    // Among the tools, and in the choice; without choices the tool is offered alone.
    const times = dialect === 'ollama' ? 1 : 2
    expect(text.split(`"${wireName}"`)).toHaveLength(times + 1)
  })

  it('that the model made up stay what they are', async () => {
    const client = await clientOf(dialect, [
      { toolCalls: [{ name: 'made up', arguments: ['{}'] }] },
      { text: ['Done'] },
    ])
    const { events } = await ask(client.prompt('Go').tools(echo('plain', [])), mode)
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool-call-start', name: 'made up' }),
    )
    expect(server!.violations).toEqual([])
    expect(namesSent(1)).not.toContain('made up')
  })

  it('cost nothing where all are allowed: the same text for the same conversation', async () => {
    const client = await clientOf(dialect, [{ text: ['Done'] }])
    const tools = [echo('files read', []), echo('plain', [])]
    const messages: readonly Message[] = [{ role: 'user', content: 'Go' }]
    for (let round = 0; round < 2; round++)
      await ask(
        client
          .prompt()
          .messages(...messages)
          .tools(...tools),
        mode,
      )
    expect(server!.requests[0]!.text).toBe(server!.requests[1]!.text)
  })
})
