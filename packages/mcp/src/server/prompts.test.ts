/** Prompts and completions, with clients of both protocols. */
import { describe, expect, it } from 'vitest'
import type { ServedPrompt } from './served-prompt.ts'
import { serveTools } from './serve-tools.ts'
import type { ServeToolsOptions } from './serve-tools-options.ts'
import {
  accept,
  add,
  CAN_ANSWER,
  connected,
  listening,
  rpc,
  type Running,
} from './serving.cases.ts'

let running: Running

async function serve(
  prompts: ServeToolsOptions['prompts'],
  options?: Partial<ServeToolsOptions>,
): Promise<string> {
  running = await listening(add, { ...(prompts && { prompts }), ...options })
  return running.listening.url
}

const letter: ServedPrompt = {
  name: 'letter',
  title: 'A letter',
  description: 'Writes a letter',
  arguments: [
    {
      name: 'to',
      description: 'Who gets it',
      required: true,
      complete: (typed, { tone }) =>
        ['Ada', 'Alan', tone === 'warm' ? 'Anna' : 'Adm. Hopper'].filter((name) =>
          name.startsWith(typed),
        ),
    },
    { name: 'tone' },
  ],
  get: ({ to, tone = 'formal' }) => [
    { role: 'user', content: `Write a ${tone} letter to ${to}.` },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Gladly.' },
        { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      ],
    },
  ],
}

const failing = (get: ServedPrompt['get']): ServedPrompt => ({ name: 'fails', get })
const GET = { name: 'fails' }

describe.each(['modern', 'legacy'] as const)('with a client of the %s protocol', (era) => {
  it('lists, gets and completes', async () => {
    const client = await connected(await serve([letter]), { era })
    const { prompts } = await client.listPrompts()
    expect(prompts).toMatchObject([
      {
        name: 'letter',
        title: 'A letter',
        description: 'Writes a letter',
        arguments: [
          { name: 'to', description: 'Who gets it', required: true },
          { name: 'tone', required: false },
        ],
      },
    ])
    const { messages } = await client.getPrompt({ name: 'letter', arguments: { to: 'Ada' } })
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Write a formal letter to Ada.' } },
      { role: 'assistant', content: { type: 'text', text: 'Gladly.' } },
      { role: 'assistant', content: { type: 'image', mimeType: 'image/png', data: 'AAAA' } },
    ])
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'letter' },
      argument: { name: 'to', value: 'A' },
      context: { arguments: { tone: 'warm' } },
    })
    expect(completion).toMatchObject({ values: ['Ada', 'Alan', 'Anna'], hasMore: false })
    await client.close()
  })

  it('asks the user first', async () => {
    const asks: ServedPrompt = {
      name: 'asks',
      get: (_given, { suspend }) => `For ${String(suspend('For whom?'))}`,
    }
    const client = await connected(await serve([asks]), {
      era,
      answer: () => accept({ answer: 'Ada' }),
    })
    const { messages } = await client.getPrompt({ name: 'asks' })
    expect(messages).toMatchObject([{ content: { text: 'For Ada' } }])
    await client.close()
  })

  it('cannot ask a client that cannot be asked', async () => {
    const asks: ServedPrompt = { name: 'asks', get: (_given, { suspend }) => String(suspend('?')) }
    const client = await connected(await serve([asks]), { era })
    await expect(client.getPrompt({ name: 'asks' })).rejects.toThrow(/cannot be asked/)
    await client.close()
  })

  it('refuses what is not there, and arguments that do not fit', async () => {
    const client = await connected(await serve([letter]), { era })
    const code = -32602
    await expect(client.getPrompt({ name: 'none' })).rejects.toMatchObject({ code })
    await expect(client.getPrompt({ name: 'letter' })).rejects.toThrow(/it needs "to"/)
    const more = { to: 'Ada', cc: 'Alan' }
    await expect(client.getPrompt({ name: 'letter', arguments: more })).rejects.toThrow(
      /does not take "cc"/,
    )
    await client.close()
  })
})

describe('a prompt that fails', () => {
  it('says why, without secrets', async () => {
    const url = await serve([
      failing(() => {
        throw new Error('no entry with key sk-abcdef0123456789abcdef')
      }),
    ])
    const { error } = await rpc(url, 'prompts/get', GET)
    expect(error).toMatchObject({ code: -32603 })
    expect(error!.message).toContain('no entry with key')
    expect(error!.message).not.toContain('abcdef0123456789')
  })

  it('because it hangs ends with its time', async () => {
    const url = await serve([failing(() => new Promise(() => {}))], {
      limits: { toolTimeoutMs: 50 },
    })
    expect((await rpc(url, 'prompts/get', GET)).error!.message).toContain('50 ms')
  })

  it('because it is too large is refused', async () => {
    const url = await serve([failing(() => 'x'.repeat(10_000_000))])
    expect((await rpc(url, 'prompts/get', GET)).error!.message).toContain('8388608 bytes')
  })

  it('because it gives no messages is an error', async () => {
    const url = await serve([failing(() => 7 as never)])
    expect((await rpc(url, 'prompts/get', GET)).error).toMatchObject({ code: -32603 })
  })

  it('because of the policy says so', async () => {
    const seen: string[] = []
    const url = await serve([letter], {
      policy: ({ toolName }: { toolName: string }) => {
        seen.push(toolName)
        return { deny: 'not today' }
      },
    } as never)
    const params = { name: 'letter', arguments: { to: 'Ada' } }
    const { error } = await rpc(url, 'prompts/get', params)
    expect(error!.message).toContain('not today')
    expect(seen).toEqual(['prompts/get letter'])
  })
})

it('a state of one prompt is none of another, nor of other arguments', async () => {
  const asks = (name: string): ServedPrompt => ({
    name,
    arguments: [{ name: 'x' }],
    get: (_given, { suspend }) => `${name} ${String(suspend('?'))}`,
  })
  const url = await serve([asks('one'), asks('two')])
  const { result } = await rpc(url, 'prompts/get', { name: 'one' }, CAN_ANSWER)
  const again = {
    requestState: result!.requestState,
    inputResponses: { call: accept({ answer: 'yes' }) },
  }
  for (const other of [{ name: 'two' }, { name: 'one', arguments: { x: '1' } }]) {
    const { error } = await rpc(url, 'prompts/get', { ...other, ...again }, CAN_ANSWER)
    expect(error).toMatchObject({ data: { reason: 'state-of-another-call' } })
  }
  const done = await rpc(url, 'prompts/get', { name: 'one', ...again }, CAN_ANSWER)
  expect(JSON.stringify(done.result)).toContain('one yes')
})

describe('completions', () => {
  const REF = { ref: { type: 'ref/prompt', name: 'many' } }
  const many = (complete: () => readonly string[]): ServedPrompt => ({
    name: 'many',
    arguments: [{ name: 'x', complete }, { name: 'y' }],
    get: () => '',
  })
  const complete = (url: string, name: string, ref: object = REF) =>
    rpc(url, 'completion/complete', { ...ref, argument: { name, value: '' } })

  it('are the first 100 of a flood', async () => {
    const url = await serve([many(() => Array.from({ length: 100_000 }, (_, n) => `v${n}`))])
    const { result } = await complete(url, 'x')
    const { completion } = result as { completion: { values: string[] } }
    expect(completion.values).toHaveLength(100)
    expect(completion).toMatchObject({ total: 100_000, hasMore: true })
  })

  it('are none for an argument without them', async () => {
    const { result } = await complete(await serve([many(() => [])]), 'y')
    expect(result).toMatchObject({ completion: { values: [] } })
  })

  it('of what is not there are refused', async () => {
    const url = await serve([many(() => [])])
    const code = -32602
    expect((await complete(url, 'z')).error).toMatchObject({ code })
    expect((await complete(url, 'constructor')).error).toMatchObject({ code })
    const other = { ref: { type: 'ref/prompt', name: 'none' } }
    expect((await complete(url, 'x', other)).error).toMatchObject({ code })
    const template = { ref: { type: 'ref/resource', uri: 'x://{y}' } }
    expect((await complete(url, 'y', template)).error).toMatchObject({ code })
  })

  it('that throw tell no secrets', async () => {
    const url = await serve([
      many(() => {
        throw new Error('key sk-abcdef0123456789abcdef')
      }),
    ])
    const { error } = await complete(url, 'x')
    expect(error).toMatchObject({ code: -32603 })
    expect(error!.message).not.toContain('abcdef0123456789')
  })

  it('of one caller are not more at once than its calls may be', async () => {
    let go = (): void => {}
    const wait = new Promise<readonly string[]>((resolve) => (go = () => resolve([])))
    let started = (): void => {}
    const running = new Promise<void>((resolve) => (started = resolve))
    const slow: ServedPrompt = {
      name: 'many',
      arguments: [{ name: 'x', complete: () => (started(), wait) }],
      get: () => '',
    }
    const url = await serve([slow], { maxConcurrentCalls: 1 })
    const first = complete(url, 'x')
    await running
    expect((await complete(url, 'x')).error!.message).toContain('at most 1 calls at once')
    go()
    expect((await first).result).toMatchObject({ completion: { values: [] } })
  })
})

it('a server without prompts says that it has none', async () => {
  const url = await serve(undefined)
  expect((await rpc(url, 'prompts/list')).error).toMatchObject({ code: -32601 })
  const { result } = await rpc(url, 'server/discover')
  expect(result!.capabilities).not.toHaveProperty('prompts')
})

it('a list can be made anew for every request, and its change is told', async () => {
  let prompts: ServedPrompt[] = []
  const url = await serve(() => prompts)
  expect((await rpc(url, 'prompts/list')).result!.prompts).toEqual([])
  const client = await connected(url, { era: 'legacy' })
  let told = false
  client.setNotificationHandler('notifications/prompts/list_changed', () => void (told = true))
  prompts = [letter]
  // A client hears from when its stream is open, which nothing tells.
  await expect
    .poll(async () => {
      await running.served.promptsChanged()
      return told
    })
    .toBe(true)
  expect((await client.listPrompts()).prompts).toHaveLength(1)
  await client.close()
})

it('two prompts of one name are refused when the server is made', () => {
  const options = { name: 'x', version: '1' }
  expect(() => serveTools([], { ...options, prompts: [letter, letter] })).toThrow(/same name/)
  expect(() => serveTools([], { ...options, prompts: [{ ...letter, name: ' ' }] })).toThrow(
    /no name/,
  )
})
