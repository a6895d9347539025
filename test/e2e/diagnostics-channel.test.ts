/** What agents hear that listen to `node:diagnostics_channel`, without anything in the program for them. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ChatClient, clientTool, tool, toolCallingManager } from 'toolwright'
import { recordingObserver, scriptedModel } from 'toolwright/testing'

interface Message {
  readonly kind: string
  readonly name: string
  readonly parent?: Message
  readonly outcome?: { readonly failed: boolean; readonly refusal?: string }
  readonly error?: unknown
}

const KINDS = ['client', 'advisor', 'round', 'model', 'tool'] as const
const MOMENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const
const stops: (() => void)[] = []
afterEach(() => stops.splice(0).forEach((stop) => stop()))

function listen(kinds: readonly (typeof KINDS)[number][], moments: readonly string[] = MOMENTS) {
  const heard: { readonly moment: string; readonly message: Message }[] = []
  for (const kind of kinds) {
    const channel = tracingChannel<Message>(`toolwright.${kind}`)
    for (const moment of MOMENTS.filter((each) => moments.includes(each))) {
      const hear = (message: unknown): void =>
        void heard.push({ moment, message: message as never })
      channel[moment].subscribe(hear)
      stops.push(() => void channel[moment].unsubscribe(hear))
    }
  }
  return heard
}

const boom = tool({
  name: 'boom',
  input: { type: 'object', properties: { at: { type: 'string' } } },
  execute() {
    throw new RangeError('gone')
  },
})
const script = [{ toolCalls: [{ name: 'boom', arguments: { at: 'secret place' } }] }, 'Done.']
const client = (options = {}): ChatClient =>
  ChatClient.create(scriptedModel(script), { tools: [boom], ...options })
const pathOf = (message: Message): string =>
  message.parent ? `${pathOf(message.parent)} > ${message.kind}` : message.kind

describe('node:diagnostics_channel', () => {
  for (const mode of ['call', 'stream'] as const) {
    it(`tells the start and the end of everything, each inside what it belongs to: ${mode}`, async () => {
      const heard = listen(KINDS, ['start', 'asyncEnd'])
      await client().prompt('My diary')[mode]().result()
      const inRound = 'client > advisor > round'
      expect(heard.map(({ moment, message }) => `${moment} ${pathOf(message)}`)).toEqual([
        'start client',
        'start client > advisor',
        `start ${inRound}`,
        `start ${inRound} > model`,
        `asyncEnd ${inRound} > model`,
        `start ${inRound} > tool`,
        `asyncEnd ${inRound} > tool`,
        `asyncEnd ${inRound}`,
        `start ${inRound}`,
        `start ${inRound} > model`,
        `asyncEnd ${inRound} > model`,
        `asyncEnd ${inRound}`,
        'asyncEnd client > advisor',
        'asyncEnd client',
      ])
      expect(JSON.stringify(heard)).not.toMatch(/secret place|diary|Done\./)
    })

    it(`a failed tool goes through all five channels with one message: ${mode}`, async () => {
      const heard = listen(['tool'])
      await client().prompt('Go')[mode]().result()
      expect(heard.map(({ moment }) => moment)).toEqual([
        'start',
        'end',
        'error',
        'asyncStart',
        'asyncEnd',
      ])
      expect(new Set(heard.map(({ message }) => message)).size).toBe(1)
      expect(heard[0]!.message).toMatchObject({
        kind: 'tool',
        name: 'boom',
        callId: expect.any(String) as string,
        outcome: { failed: true },
        error: new RangeError('gone'),
      })
    })
  }

  it('a store that is bound to the start of a tool is around the tool', async () => {
    const place = new AsyncLocalStorage<string>()
    const { start } = tracingChannel('toolwright.tool')
    start.bindStore(place as never, (message) => `in ${(message as Message).name}` as never)
    stops.push(() => void start.unbindStore(place as never))
    const seen: unknown[] = []
    const look = tool({ name: 'look', execute: () => seen.push(place.getStore()) })
    await ChatClient.create(scriptedModel([{ toolCalls: [{ name: 'look' }] }, 'Done.']), {
      tools: [look],
    })
      .prompt('Go')
      .call()
      .content()
    expect(seen).toEqual(['in look'])
  })

  for (const mode of ['call', 'stream'] as const)
    it(`a run inside a tool has no parent, and a store that is bound to tools holds its call: ${mode}`, async () => {
      const { start } = tracingChannel('toolwright.tool')
      const call = new AsyncLocalStorage<Message>()
      start.bindStore(call as never)
      const runs: { readonly parent: unknown; readonly inside: string | undefined }[] = []
      const hear = (message: unknown): void => {
        const { parent } = message as Message
        runs.push({ parent, inside: call.getStore()?.name })
      }
      const clients = tracingChannel('toolwright.client').start
      clients.subscribe(hear)
      stops.push(() => void (start.unbindStore(call as never), clients.unsubscribe(hear)))
      const research = clientTool(client(), { name: 'research', description: 'Looks it up' })
      const toolCalls = [{ name: 'research', arguments: { prompt: 'x' } }]
      const outer = ChatClient.create(scriptedModel([{ toolCalls }, 'Done.']), {
        tools: [research],
      })
      await outer.prompt('Go')[mode]().result()
      expect(runs).toEqual([
        { parent: undefined, inside: undefined },
        { parent: undefined, inside: 'research' },
      ])
    })

  it('works beside an observer, and for a manager by hand', async () => {
    const heard = listen(['tool'], ['asyncEnd'])
    const observer = recordingObserver()
    await client({ observer }).prompt('Go').call().content()
    expect(observer.outline()).toContain('      tool boom !')
    const model = scriptedModel(script)
    const prompt = { messages: [], options: { tools: [boom] } }
    await toolCallingManager().executeToolCalls(prompt, await model.call(prompt))
    expect(heard.map(({ message }) => message.name)).toEqual(['boom', 'boom'])
  })

  it('a run that is aborted before it begins has a start and an end', async () => {
    const heard = listen(['client'], ['start', 'error', 'asyncEnd'])
    const abort = new AbortController()
    // The last thing that happens before the run is told to anybody.
    const ids = { next: () => (abort.abort(new RangeError('enough')), 'run_1') }
    const run = client({ ids }).prompt('Go').signal(abort.signal).call()
    await expect(run.content()).rejects.toThrow('enough')
    // Whoever watches is told once it is loaded.
    await vi.waitFor(() =>
      expect(heard.map(({ moment }) => moment)).toEqual(['start', 'error', 'asyncEnd']),
    )
  })
})
