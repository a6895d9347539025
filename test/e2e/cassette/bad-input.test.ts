/** What can be wrong with a cassette or its test: each is an error that names the file, the place and the fix. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { ChatClient, clientTool, tool, type ToolCallback } from 'toolwright'
import {
  cassette,
  CassetteError,
  scriptedModel,
  type CassetteOptions,
  type ScriptedStep,
} from 'toolwright/testing'

let folder: string
let file: string
beforeEach(() => {
  vi.stubEnv('CI', '')
  folder = mkdtempSync(join(tmpdir(), 'cassettes-'))
  file = join(folder, 'one.cassette.json')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

const weather = (changes: { readonly description?: string; readonly degrees?: number } = {}) =>
  tool({
    name: 'weather',
    description: changes.description ?? 'The weather of a city',
    input: z.object({ city: z.string(), unit: z.enum(['c', 'f']).optional() }),
    execute: () => ({ degrees: changes.degrees ?? 21 }),
  })
const SCRIPT: readonly ScriptedStep[] = [
  { toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] },
  'It is warm.',
]

interface Had extends CassetteOptions {
  readonly script?: readonly ScriptedStep[]
  readonly words?: string
  readonly system?: string
  readonly client?: object
}

async function had({ script = SCRIPT, words = 'Rome?', system, client, ...options }: Had = {}) {
  const tape = cassette(file, { model: scriptedModel(script), tools: [weather()], ...options })
  const request = ChatClient.create(tape.model, { tools: tape.tools, ...client }).prompt(words)
  const text = await (system === undefined ? request : request.system(system)).call().content()
  await tape.finish()
  return { text, tape }
}

const thrownBy = async (work: () => unknown): Promise<CassetteError> => {
  try {
    await work()
  } catch (error) {
    return error as CassetteError
  }
  throw new Error('It did not throw.')
}

describe('mode', () => {
  it('auto records once, and replays from then on', async () => {
    expect((await had()).tape.mode).toBe('record')
    expect((await had({ script: [] })).tape.mode).toBe('replay')
    expect((await had({ script: [], model: undefined!, tools: undefined! })).text).toBe(
      'It is warm.',
    )
  })

  it('auto never records in CI', async () => {
    vi.stubEnv('CI', 'true')
    const error = await thrownBy(() => had())
    expect(error).toBeInstanceOf(CassetteError)
    expect(error).toMatchObject({ code: 'cassette-missing', family: 'caller', file })
    expect(error.message).toBe(
      `There is no cassette ${file}. Record it: run the test where CI is not set, or with mode 'record', and keep the file with the test.`,
    )
    expect(readdirSync(folder)).toEqual([])
    vi.stubEnv('CI', 'false')
    expect((await had()).tape.mode).toBe('record')
  })

  it('auto says that there is no model to record with', async () => {
    const error = await thrownBy(() => cassette(file))
    expect(error).toMatchObject({ code: 'cassette-missing', file })
    expect(error.message).toBe(
      `There is no cassette ${file}, and no model was given that could record it. Give cassette() a model. Record it: run the test where CI is not set, or with mode 'record', and keep the file with the test.`,
    )
    vi.stubEnv('CI', 'true')
    expect((await thrownBy(() => cassette(file))).message).toContain('no model was given')
    expect((await thrownBy(() => cassette(file, { mode: 'replay' }))).message).not.toContain(
      'model',
    )
  })

  it('replay never records, and record writes over what is there', async () => {
    expect(await thrownBy(() => had({ mode: 'replay' }))).toMatchObject({
      code: 'cassette-missing',
    })
    await had({ mode: 'record' })
    await had({ mode: 'record', script: ['Other.'] })
    expect((await had({ script: [] })).text).toBe('Other.')
    expect(readdirSync(folder)).toEqual(['one.cassette.json'])
  })

  it('takes the address of a file, and a model that is made only to record', async () => {
    const path = new URL('sub/two.cassette.json', pathToFileURL(`${folder}/`))
    const make = vi.fn(() => scriptedModel(['Hi.']))
    for (const used of [1, 1]) {
      const tape = cassette(path, { model: make })
      expect(await ChatClient.create(tape.model).prompt('Hello').call().content()).toBe('Hi.')
      await tape.finish()
      expect(make).toHaveBeenCalledTimes(used)
    }
    expect(existsSync(join(folder, 'sub/two.cassette.json'))).toBe(true)
  })

  it('refuses options that it does not have', () => {
    const given = (options: object, path: unknown = file) =>
      thrownBy(() => cassette(path as string, options as CassetteOptions))
    return Promise.all([
      expect(given({ mod: 'auto' })).resolves.toMatchObject({ code: 'unknown-option' }),
      expect(given({ mode: 'rec' })).resolves.toMatchObject({ code: 'invalid-option' }),
      expect(given({ redact: 'x' })).resolves.toMatchObject({ code: 'invalid-option' }),
      expect(given({ mode: 'record' })).resolves.toMatchObject({ code: 'invalid-option' }),
      expect(given({}, '')).resolves.toMatchObject({ code: 'invalid-option' }),
    ])
  })
})

describe('a request that differs', () => {
  it('shows the first difference with its path, both values, and the paths of the others', async () => {
    await had({ words: 'Is it warm in Rome?' })
    const changed = [weather({ description: 'Weather of a town' })]
    const error = await thrownBy(() => had({ words: 'Is it warm in Oslo?', tools: changed }))
    expect(error.message).toBe(
      [
        `The cassette ${file} holds another request (exchange 1, the model):`,
        '  $.messages[0].content',
        '    recorded: "Is it warm in Rome?"',
        '    received: "Is it warm in Oslo?"',
        '  $.tools.weather.description',
        '    recorded: "The weather of a city"',
        '    received: "Weather of a town"',
        'Correct the program; if the change is wanted, delete the file and record it again.',
      ].join('\n'),
    )
    expect(error.differences).toEqual([
      {
        path: '$.messages[0].content',
        recorded: '"Is it warm in Rome?"',
        received: '"Is it warm in Oslo?"',
      },
      {
        path: '$.tools.weather.description',
        recorded: '"The weather of a city"',
        received: '"Weather of a town"',
      },
    ])
  })

  it('cuts long texts, but not where they differ', async () => {
    const long = (end: string): string => `${'x'.repeat(5000)}${end}${'y'.repeat(5000)}`
    await had({ words: long('here') })
    const { message } = await thrownBy(() => had({ words: long('there') }))
    expect(message.length).toBeLessThan(1000)
    expect(message).toMatch(/recorded: …x+herey+…\n {4}received: …x+therey+…/)
  })

  it('prints no text twice where nobody catches it, and has all of them for programs', async () => {
    const long = 'word '.repeat(2000)
    await had({ words: `How is Rome? ${long}` })
    const error = await thrownBy(() => had({ words: `How is Oslo? ${long}` }))
    expect(error.differences![0]!.received).toContain(long)
    expect(inspect(error).length).toBeLessThan(3000)
    expect(inspect(error)).toContain("code: 'cassette-mismatch'")
  })

  it('says that times and ids are to be set', async () => {
    await had({ system: 'It is 2026-01-01T10:00:00Z. Run 3f2b8a52-7b1e-4d0c-9a51-0123456789ab.' })
    const error = await thrownBy(() =>
      had({ system: 'It is 2026-02-03T11:12:13.456Z. Run 00000000-7b1e-4d0c-9a51-0123456789ab.' }),
    )
    expect(error.message).toContain('differ only by what looks like a time or an id')
  })

  it('in what a tool is asked ends the run with that, not with what follows from it', async () => {
    await had()
    const edited = readFileSync(file, 'utf8').replace(
      '{\\"city\\":\\"Rome\\"}',
      '{\\"city\\":\\"Oslo\\"}',
    )
    writeFileSync(file, edited)
    const error = await thrownBy(() => had())
    expect(error.code).toBe('cassette-mismatch')
    expect(error.message).toContain(
      '(exchange 2, tool "weather"):\n  $.input.city\n    recorded: "Rome"\n    received: "Oslo"',
    )
  })

  it('in the answers to a question of a tool is one too', async () => {
    const ask = tool({ name: 'ask', execute: (_, context) => context.suspend('Which?') })
    const answered = async (answer: string): Promise<void> => {
      const tape = cassette(file, {
        model: scriptedModel([{ toolCalls: [{ name: 'ask', id: 'a' }] }, 'Done.']),
        tools: [ask],
      })
      const client = ChatClient.create(tape.model, { tools: tape.tools })
      const { state } = await client.prompt('Go').call().result()
      await client.resume(state!, { a: { answer } }).call().result()
      await tape.finish()
    }
    await answered('left')
    await answered('left')
    expect((await thrownBy(() => answered('right'))).message).toContain(
      '$.answers[0]\n    recorded: "left"\n    received: "right"',
    )
  })

  it('is told by finish() even if the program swallowed it', async () => {
    const direct = (): ToolCallback =>
      tool({
        name: 'roll',
        returnDirect: true,
        input: z.object({ n: z.number() }),
        execute: ({ n }) => n,
      })
    const rolled = async (n: number) => {
      const tape = cassette(file, {
        model: scriptedModel([{ toolCalls: [{ name: 'roll', arguments: { n } }] }, 'Odd.']),
        tools: [direct()],
      })
      const client = ChatClient.create(tape.model, { tools: tape.tools })
      await client
        .prompt('Roll')
        .call()
        .result()
        .catch(() => 'swallowed')
      await tape.finish()
    }
    await rolled(1)
    writeFileSync(file, readFileSync(file, 'utf8').replace('"n": 1', '"n": 2'))
    expect((await thrownBy(() => rolled(1))).message).toContain('$.input.n')
  })

  it('is shown against the run that it goes on from, of several at the same time', async () => {
    const asked = async (names: readonly string[], words: string): Promise<void> => {
      const tape = cassette(file, { model: scriptedModel(['A', 'B']) })
      const client = ChatClient.create(tape.model)
      const runs = names.map((name) =>
        client.prompt([
          { role: 'user', content: `I am ${name}.` },
          { role: 'assistant', content: 'Hello.' },
          { role: 'user', content: words },
        ]),
      )
      await Promise.all(runs.map((run) => run.call().content()))
      await tape.finish()
    }
    await asked(['Ann', 'Bob'], 'Is it warm?')
    const { message } = await thrownBy(() => asked(['Bob', 'Ann'], 'Is it cold?'))
    expect(message).toContain('(exchange 2, the model):\n  $.messages[2].content\n')
    expect(message).toContain('recorded: "Is it warm?"\n    received: "Is it cold?"')
    expect(message).not.toContain('Ann')
  })

  it('by another model is told when the cassette is made', async () => {
    await had()
    const model = { ...scriptedModel([]), provider: 'openai', model: 'gpt-5.4' }
    expect((await thrownBy(() => cassette(file, { model }))).message).toContain(
      '$.model.provider\n    recorded: "scripted"\n    received: "openai"',
    )
  })

  it('one request too many, and one too few', async () => {
    await had({ script: ['Hi.'], words: 'Hello', tools: [] })
    const tape = cassette(file)
    const client = ChatClient.create(tape.model)
    await client.prompt('Hello').call().content()
    const error = await thrownBy(() => client.prompt('Hello').call().content())
    expect(error.message).toContain(
      'holds no further answer of the model. It was asked: {"messages"',
    )
    const unread = cassette(file)
    expect(await thrownBy(() => unread.finish())).toMatchObject({
      code: 'cassette-unused',
      message: expect.stringContaining(
        'holds more than was asked for: exchange 1, the model.',
      ) as string,
    })
  })
})

describe('options that are no JSON', () => {
  const cyclic = (): object => {
    const own: { self?: object } = {}
    return Object.assign(own, { self: own })
  }
  for (const mode of ['call', 'stream'] as const)
    it.each([
      ['a bigint', () => ({ seed: 10n }), '"seed": "10"'],
      ['a cycle', () => ({ own: cyclic() }), '"self": "[circular]"'],
    ])(`%s is written as it can be, and compared so: ${mode}`, async (_what, given, written) => {
      const asked = async (own: object) => {
        const tape = cassette(file, { model: scriptedModel(['Hi.']) })
        const options = { providerOptions: { scripted: own as never } }
        const { response } = await ChatClient.create(tape.model)
          .prompt('Hello')
          .options(options)
          [mode]()
          .result()
        await tape.finish()
        return response.results[0]!.message.content
      }
      expect(await asked(given())).toBe('Hi.')
      expect(readFileSync(file, 'utf8')).toContain(written)
      expect(await asked(given())).toBe('Hi.')
      expect(await thrownBy(() => asked({ seed: 11n }))).toMatchObject({
        code: 'cassette-mismatch',
      })
    })
})

describe('what does not matter', () => {
  it('the order of tools and of their properties, ids, call or stream, and other metadata', async () => {
    const other = tool({ name: 'other', description: 'Another' })
    const input = (...names: readonly string[]) =>
      z.object(Object.fromEntries(names.map((name) => [name, z.string().describe(name)])))
    const pair = (schema: z.ZodType) =>
      tool({ name: 'pair', description: 'Two', input: schema as never, execute: () => 'paired' })
    const script = [
      { toolCalls: [{ name: 'pair', arguments: { a: '1', b: '2' }, id: '' }, { name: 'nix' }] },
      'Paired.',
    ]
    await had({ script, tools: [other, pair(input('a', 'b'))] })
    const before = readFileSync(file, 'utf8')
    const reordered = [pair(input('b', 'a')), other]
    expect((await had({ script: [], tools: reordered })).text).toBe('Paired.')
    await had({ script, tools: reordered, mode: 'record' })
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it('runs at the same time, in another order than they were recorded', async () => {
    const ask = async (order: readonly string[]) => {
      const answers = new Map(['a', 'b', 'c'].map((word) => [word, `It is ${word}.`]))
      const model = scriptedModel(
        order.map(
          () => (prompt) => answers.get((prompt.messages[0] as { content: string }).content)!,
        ),
      )
      const tape = cassette(file, { model })
      const client = ChatClient.create(tape.model)
      const asked = order.map((word) => client.prompt(word).call().content())
      expect(await Promise.all(asked)).toEqual(order.map((word) => answers.get(word)))
      await tape.finish()
    }
    await ask(['a', 'b', 'c'])
    await ask(['c', 'a', 'b'])
  })

  it('what a recorded tool asks by itself, and a tool that was not given is run', async () => {
    const conversation = async (isGiven: boolean) => {
      const log: string[] = []
      const model = scriptedModel([
        { toolCalls: [{ name: 'expert', arguments: { prompt: 'Why?' } }] },
        'Because.',
        'So.',
      ])
      const tape = cassette(file, {
        model,
        tools: [
          {
            toolCallbacks: () =>
              isGiven
                ? [
                    clientTool(ChatClient.create(tape.model), {
                      name: 'expert',
                      description: 'Knows',
                    }),
                  ]
                : [],
          },
        ],
      })
      const expert = clientTool(ChatClient.create(tape.model), {
        name: 'expert',
        description: 'Knows',
      })
      const tools = isGiven ? tape.tools : [expert]
      const run = ChatClient.create(tape.model, { tools }).prompt('Go').call()
      for await (const { type, parentCallId } of run) if (parentCallId) log.push(type)
      expect(await run.content()).toBe('So.')
      await tape.finish()
      return {
        log,
        exchanges: (JSON.parse(readFileSync(file, 'utf8')) as { exchanges: { kind: string }[] })
          .exchanges,
      }
    }
    const recorded = await conversation(true)
    expect(recorded.exchanges.map(({ kind }) => kind)).toEqual(['model', 'tool', 'model'])
    expect(recorded.log).toEqual(['round-end'])
    expect((await conversation(true)).log).toEqual([])
    rmSync(file)
    const inner = await conversation(false)
    expect(inner.exchanges.map(({ kind }) => kind)).toEqual(['model', 'model', 'model'])
    expect((await conversation(false)).log).toEqual(['round-end'])
  })
})

describe('a file', () => {
  const damaged = async (change: (text: string) => string): Promise<CassetteError> => {
    await had({ mode: 'record' })
    writeFileSync(file, change(readFileSync(file, 'utf8')))
    return thrownBy(() => cassette(file))
  }
  const edited = (change: (value: any) => void) =>
    damaged((text) => {
      const value = JSON.parse(text)
      change(value)
      return JSON.stringify(value)
    })
  const FIX = 'Restore the file, or delete it and record it again.'

  it('of another version', async () => {
    expect(await edited((value) => (value.version = 2))).toMatchObject({
      code: 'cassette-version',
      message: `The cassette ${file} has version 2, and this version of toolwright plays version 1. Update toolwright, or delete the file and record it again.`,
    })
  })

  it('that is torn, empty, or something else', async () => {
    const torn = await damaged((text) => text.slice(0, 400))
    expect(torn).toMatchObject({ code: 'cassette-unreadable', file })
    expect(torn.message).toMatch(/is no JSON: .*\. Restore the file/)
    expect((await damaged(() => '')).message).toBe(`The cassette ${file} is empty. ${FIX}`)
    expect((await damaged(() => '[]')).message).toContain('its format is not "toolwright-cassette"')
    rmSync(file)
    expect((await thrownBy(() => cassette(folder))).message).toContain('cannot be read: EISDIR')
  })

  it.each<[string, (value: any) => void, string]>([
    ['a field too few', (value) => delete value.tools, '$.tools: expected'],
    [
      'a kind that is none',
      (value) => (value.exchanges[1].kind = 'tol'),
      '$.exchanges[1].kind: expected one of',
    ],
    [
      'a wrong type',
      (value) => (value.exchanges[0].response.results = {}),
      '$.exchanges[0].response.results: expected array',
    ],
    [
      'a field too many',
      (value) => (value.exchanges[1].outputs = 'x'),
      '$.exchanges[1].outputs: expected no property',
    ],
    [
      'no end',
      (value) => delete value.exchanges[1].output,
      '$.exchanges[1] ends with one of output, question, error, aborted, and it has none of them.',
    ],
    ['two ends', (value) => (value.exchanges[1].aborted = true), 'and it has output and aborted.'],
    [
      'a tool that is not there',
      (value) => (value.exchanges[0].request.tools = ['wether']),
      '$.exchanges[0].request.tools names "wether", which is not among $.tools.',
    ],
    [
      'repeats of nothing',
      (value) => (value.exchanges[2].request.repeats = 9),
      '$.exchanges[2].request repeats 9 messages of a request that has 1.',
    ],
  ])('that was edited: %s', async (_what, change, message) => {
    const error = await edited(change)
    expect(error.code).toBe('cassette-unreadable')
    expect(error.message).toContain(`The cassette ${file} is not as it was written. `)
    expect(error.message).toContain(message)
  })

  it('that cannot be written', async () => {
    writeFileSync(join(folder, 'taken'), '')
    const tape = cassette(join(folder, 'taken/one.json'), {
      model: scriptedModel([]),
      mode: 'record',
    })
    expect(await thrownBy(() => tape.finish())).toMatchObject({ code: 'cassette-unwritable' })
    expect(readdirSync(folder)).toEqual(['taken'])
  })

  it('is not touched by a test that does not reach finish()', async () => {
    await thrownBy(async () => {
      const tape = cassette(file, { model: scriptedModel([]) })
      await ChatClient.create(tape.model).prompt('Hello').call().content()
      await tape.finish()
    })
    expect(readdirSync(folder)).toEqual([])
    expect((await had()).text).toBe('It is warm.')
  })

  it.each([0o600, 0o666])('keeps its rights when it is recorded again: %o', async (rights) => {
    await had()
    chmodSync(file, rights)
    await had({ mode: 'record', script: ['Other.'] })
    expect(statSync(file).mode & 0o777).toBe(rights)
    expect(readFileSync(file, 'utf8')).toContain('Other.')
  })
})

describe('two tests on one file', () => {
  it('of two recordings in one process the one that finishes later is refused', async () => {
    const [first, second] = [1, 2].map(() => cassette(file, { model: scriptedModel(['Hi.']) }))
    await ChatClient.create(second!.model).prompt('Second').call().content()
    await second!.finish()
    const error = await thrownBy(() => first!.finish())
    expect(error.code).toBe('cassette-in-use')
    expect(error.message).toContain('Give each test a file of its own.')
    expect(readFileSync(file, 'utf8')).toContain('Second')
  })

  it.each(['auto', 'record'] as const)(
    'what another process wrote meanwhile stays (%s)',
    async (mode) => {
      if (mode === 'record') writeFileSync(file, 'old')
      const tape = cassette(file, { model: scriptedModel(['Hi.']), mode })
      writeFileSync(file, 'of another process')
      expect(await thrownBy(() => tape.finish())).toMatchObject({ code: 'cassette-in-use' })
      expect(readFileSync(file, 'utf8')).toBe('of another process')
      expect(readdirSync(folder)).toEqual(['one.cassette.json'])
    },
  )

  it('a second conversation on a file that is there differs from it', async () => {
    await had()
    expect(await thrownBy(() => had({ words: 'Something else?' }))).toMatchObject({
      code: 'cassette-mismatch',
    })
  })

  it('nothing can be asked of one that is finished', async () => {
    for (const mode of ['record', 'replay']) {
      const { tape } = await had()
      expect(tape.mode).toBe(mode)
      await tape.finish()
      const client = ChatClient.create(tape.model)
      expect(await thrownBy(() => client.prompt('More').call().content())).toMatchObject({
        code: 'cassette-finished',
      })
    }
  })
})
