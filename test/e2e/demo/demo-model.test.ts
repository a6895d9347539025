import { describe, expect, it } from 'vitest'
import {
  ChatClient,
  chatMemoryAdvisor,
  messageWindowMemory,
  tool,
  type ToolSource,
} from 'toolwright'
import { demoModel } from '../../../packages/cli/src/demo/demo-model.ts'

const clock = { now: () => Date.parse('2015-10-20T07:28:00Z') }
const model = demoModel({ clock })
const INTRODUCTION = 'This is the demo model: it follows rules and is not a language model.\n'

const text = { type: 'string' } as const
const object = (
  properties: { readonly [name: string]: object },
  required = Object.keys(properties),
) => ({ type: 'object', properties, required }) as const

interface Spied {
  readonly takes?: { readonly [name: string]: object }
  readonly gives?: (input: never) => unknown
}

function spy(name: string, description: string, { takes = {}, gives }: Spied = {}) {
  const calls: unknown[] = []
  const execute = (input: unknown): unknown => {
    calls.push(input)
    return gives?.(input as never)
  }
  return { calls, tool: tool({ name, description, input: object(takes), execute }) }
}

const currentTime = () =>
  spy('getCurrentDateTime', "Get the current date and time in the user's timezone", {
    gives: () => '2015-10-20T16:28:00+09:00[Asia/Tokyo]',
  })
const alarm = () =>
  spy('setAlarm', 'Set a user alarm for the given time', {
    takes: { time: { type: 'string', format: 'date-time' } },
  })
const weather = () =>
  spy('get_weather', 'Current weather of a city', {
    takes: { city: text },
    gives: ({ city }: { city: string }) => `Sunny in ${city}`,
  })

/** Asks in both modes, which must agree, and gives the answer without the introduction. */
async function ask(question: string, ...tools: readonly ToolSource[]): Promise<string> {
  const request = ChatClient.create(model)
    .prompt(question)
    .tools(...tools)
  const streamed: string[] = []
  for await (const piece of request.stream().content()) streamed.push(piece)
  const called = await request.call().content()
  expect(streamed.join('')).toBe(called)
  expect(called.startsWith(INTRODUCTION)).toBe(true)
  return called.slice(INTRODUCTION.length)
}

describe('the demo model', () => {
  it('without tools says that it does not have access', async () => {
    expect(await ask('What day is tomorrow?')).toContain('I do not have access')
  })

  it.each([
    ['What day is tomorrow?', 'Tomorrow is Wednesday, 2015-10-21.'],
    ['Which date was last Friday?', 'Last Friday is Friday, 2015-10-16.'],
    ['Tell me the date in two weeks', 'In two weeks is Tuesday, 2015-11-03.'],
  ])('counts days from what a date tool says: %s', async (question, answer) => {
    expect(await ask(question, currentTime().tool)).toContain(answer)
  })

  it('asks for the time before it counts from it', async () => {
    const [now, set] = [currentTime(), alarm()]
    await ask('Can you set an alarm 10 minutes from now?', now.tool, set.tool)
    expect(now.calls).toHaveLength(2)
    expect(set.calls).toEqual(Array(2).fill({ time: '2015-10-20T07:38:00.000Z' }))
  })

  it.each([
    ['2015-10-20T16:28:00+09:00[Asia/Tokyo]', '2015-10-20T07:38:00.000Z'],
    ['2015-10-20T07:28:00.000Z', '2015-10-20T07:38:00.000Z'],
    [{ now: '2015-10-20T07:28:00Z' }, '2015-10-20T07:38:00.000Z'],
  ])('understands a time told as %j', async (told, expected) => {
    const now = spy('getCurrentDateTime', 'Get the current date and time', { gives: () => told })
    const set = alarm()
    await ask('Set an alarm in ten minutes', now.tool, set.tool)
    expect(set.calls[0]).toEqual({ time: expected })
  })

  it('asks nobody for the time when the sentence is exact', async () => {
    const [now, set] = [currentTime(), alarm()]
    await ask('Set an alarm for 2015-12-24T18:00:00Z', now.tool, set.tool)
    expect(now.calls).toEqual([])
    expect(set.calls[0]).toEqual({ time: '2015-12-24T18:00:00.000Z' })
  })

  it('makes one call for each place', async () => {
    const { calls, tool } = weather()
    const answer = await ask('What is the weather in Berlin and in Paris?', tool)
    expect(calls.slice(0, 2)).toEqual([{ city: 'Berlin' }, { city: 'Paris' }])
    expect(answer).toContain('Sunny in Berlin')
    expect(answer).toContain('Sunny in Paris')
  })

  it('does one thing and then another', async () => {
    const [sky, set] = [weather(), alarm()]
    await ask('Get the weather in Rome and then set an alarm for 5pm', sky.tool, set.tool)
    expect(sky.calls[0]).toEqual({ city: 'Rome' })
    expect(set.calls).toHaveLength(2)
  })

  it('asks for what it needs instead of guessing', async () => {
    const { calls, tool } = weather()
    expect(await ask('What is the weather like?', tool)).toContain('city')
    expect(calls).toEqual([])
  })

  it('first asks a tool that needs nothing for what is missing', async () => {
    const here = spy('getCurrentCity', 'Where the user is', { gives: () => 'Lyon' })
    const sky = weather()
    expect(await ask('What is the weather like?', here.tool, sky.tool)).toContain('Sunny in Lyon')
    expect(here.calls).toHaveLength(2)
    expect(sky.calls).toEqual(Array(2).fill({ city: 'Lyon' }))
  })

  it('asks the user when such a tool fails', async () => {
    const fail = (): never => {
      throw new Error('No signal')
    }
    const here = spy('getCurrentCity', 'Where the user is', { gives: fail })
    const sky = weather()
    expect(await ask('What is the weather like?', here.tool, sky.tool)).toContain('city')
    expect(sky.calls).toEqual([])
    expect(here.calls).toHaveLength(2)
  })

  it('says when nothing fits, and what there is', async () => {
    const answer = await ask('Sing me a song', weather().tool, alarm().tool)
    expect(answer).toContain('no tool')
    expect(answer).toContain('get_weather, setAlarm')
  })

  it.each(['getWeather', 'get_weather', 'weather', 'WeatherV2'])(
    'finds its only tool, called %s',
    async (name) => {
      const only = spy(name, 'Get the weather of a city', { takes: { city: text } })
      await ask('What is the weather in Berlin?', only.tool)
      expect(only.calls[0]).toEqual({ city: 'Berlin' })
    },
  )

  it('calls nothing for a word in common', async () => {
    const archive = spy('archive_invoices', 'Archive all invoices at the end of the year')
    const answer = await ask('Who won the cup last year?', archive.tool, weather().tool)
    expect(answer).toContain('no tool')
    expect(archive.calls).toEqual([])
  })

  it('takes no loose words for a second call', async () => {
    const note = spy('create_note', 'Create a note', { takes: { topic: text } })
    await ask('Create a note about copper wire and hurry', note.tool, weather().tool)
    expect(note.calls).toEqual(Array(2).fill({ topic: 'copper wire' }))
  })

  it('reports a tool that fails, once', async () => {
    const broken = spy('get_weather', 'Current weather of a city', {
      takes: { city: text },
      gives() {
        throw new Error('The station is closed')
      },
    })
    expect(await ask('Weather in Rome, please', broken.tool)).toContain('The station is closed')
    expect(broken.calls).toHaveLength(2)
  })

  it('reports what was denied', async () => {
    const { calls, tool } = weather()
    const answer = await ChatClient.create(model, { policy: () => ({ deny: 'not today' }) })
      .prompt('Weather in Rome')
      .tools(tool)
      .call()
      .content()
    expect(answer).toContain('not today')
    expect(calls).toEqual([])
  })

  it('introduces itself once in a conversation', async () => {
    const { calls, tool } = weather()
    const client = ChatClient.create(model, {
      tools: [tool],
      advisors: [chatMemoryAdvisor(messageWindowMemory())],
    })
    const say = (words: string) => client.prompt(words).conversation('c').call().content()
    expect(await say('What is the weather in Berlin?')).toContain(INTRODUCTION)
    expect(await say('And the weather in Paris?')).not.toContain(INTRODUCTION)
    expect(calls).toEqual([{ city: 'Berlin' }, { city: 'Paris' }])
  })

  it('calls a tool once in a turn, however its arguments count from the clock', async () => {
    let time = clock.now()
    const ticking = demoModel({ clock: { now: () => (time += 60_000) } })
    const { calls, tool } = alarm()
    await ChatClient.create(ticking)
      .prompt('Set an alarm in 10 minutes')
      .tools(tool)
      .call()
      .content()
    expect(calls).toHaveLength(1)
  })

  it.each([
    'get the weather, ',
    'weather in Oslo and ',
    'in 3 days, ',
    '"a" ',
    "it's 'a ",
    '@:// ',
  ])('reads a long sentence of %j to its limit and answers', async (piece) => {
    const { calls, tool } = weather()
    expect(await ask(piece.repeat(20_000), tool, alarm().tool, currentTime().tool)).not.toBe('')
    expect(calls.length).toBeLessThanOrEqual(16)
  })
})
