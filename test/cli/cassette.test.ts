/** `toolwright cassette`: a conversation becomes a cassette and a test. The tests are run in the slow suites. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  ChatClient,
  chatMemoryAdvisor,
  messageWindowMemory,
  tool,
  type ToolMessage,
} from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { traceFile } from 'toolwright/trace'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { countingIds } from '../../packages/toolwright/src/testing/counting-ids.ts'
import { CONVERSATION, cassetteProject } from './cassette-project.ts'

interface File {
  readonly exchanges: readonly {
    readonly kind: string
    readonly input?: unknown
    readonly request?: { readonly messages: readonly ToolMessage[] }
  }[]
  readonly tools: {
    readonly [name: string]: { readonly definition: { readonly description: string } }
  }
}

const ROOMS = `
import { tool } from 'toolwright'
import { z } from 'zod'

export const measureRoom = tool({
  name: 'measureRoom',
  description: 'A person measures a room',
  output: z.object({ width: z.number().positive(), height: z.number().positive() }),
})
export const nameRoom = tool({ name: 'nameRoom', description: 'A person names it', output: z.string() })
export const describeRoom = tool({ name: 'describeRoom', description: 'A person describes it' })
export const paintRoom = tool({
  name: 'paintRoom',
  description: 'Paints it',
  output: z.object({ colour: z.string() }),
  execute: () => { throw new Error('This must not run.') },
})
`

describe('toolwright cassette', () => {
  it('writes a cassette and a test of a kept conversation, with the tools of a file', async () => {
    const project = cassetteProject()
    await project.keep('my trip/1', CONVERSATION)
    expect(await project.cassette('--conversation', 'my trip/1', '--tools', 'tools.ts')).toEqual({
      stdout: 'my-trip-1.cassette.json\nmy-trip-1.test.ts\n',
      stderr: 'toolwright: 1 question had no answer and is left out.\n',
      exitCode: 0,
    })
    const text = project.read('my-trip-1.cassette.json')
    const { exchanges, tools } = JSON.parse(text) as File
    expect(exchanges.map(({ kind }) => kind)).toEqual([
      ...['model', 'tool', 'tool', 'model'],
      ...['model', 'approval', 'approval', 'tool', 'model'],
    ])
    expect(tools['pay']!.definition.description).toBe('Pay somebody')
    const test = project.read('my-trip-1.test.ts')
    for (const secret of ['sk-abc', 'hunter22']) {
      expect(text).not.toContain(secret)
      expect(test).not.toContain(secret)
    }
    expect(test).toContain('import { bank, weather } from "./tools.js"')
    expect(test).toContain('"p2":{"deny":"Too much."}')
    expect(test).toContain('"It\'s 21 °C.\\nWarm `enough` for ${you}?"')
  })

  it('keeps secrets out of decisions, too: what was supplied, and why a call was denied', async () => {
    const project = cassetteProject()
    await project.keep('secrets', [
      { role: 'user', content: 'Where am I? Pay 20.' },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', id: 'l1', name: 'locate', arguments: '{}' },
          { type: 'tool-call', id: 'p1', name: 'pay', arguments: '{"amount":20}' },
        ],
      },
      {
        role: 'tool',
        responses: [
          { id: 'l1', name: 'locate', content: '{"city":"Rome","password":"hunter22"}' },
          {
            id: 'p1',
            name: 'pay',
            content: 'Not run: denied. The key sk-abcdefghijklmnop1234 is old.',
            isError: true,
          },
        ],
      },
      { role: 'assistant', content: 'In Rome.' },
    ])
    const { exitCode } = await project.cassette('--conversation', 'secrets', '--tools', 'tools.ts')
    expect(exitCode).toBe(0)
    const test = project.read('secrets.test.ts')
    expect(test).toContain('"p1":{"deny":"The key [redacted] is old."}')
    for (const secret of ['sk-abc', 'hunter22']) {
      expect(project.read('secrets.cassette.json')).not.toContain(secret)
      expect(test).not.toContain(secret)
    }
  })

  it.each([
    { besides: 'no other tools', more: [], supplied: '{"width":3,"height":2}' },
    {
      // Then the test has the tools of the cassette, which take any text.
      besides: 'a tool that no file exports',
      more: ['other'],
      supplied: '"{\\"width\\":3,\\"height\\":2}"',
    },
  ])(
    'gives what somebody supplied as the value that the tool takes, with $besides',
    async (row) => {
      const project = cassetteProject({ 'rooms.ts': ROOMS })
      const given = {
        measureRoom: '{"width":3,"height":2}',
        nameRoom: '12',
        describeRoom: '{"not":"parsed"}',
        paintRoom: '{"colour":"red"}',
        ...Object.fromEntries(row.more.map((name) => [name, 'this'])),
      }
      const names = Object.keys(given)
      await project.keep('rooms', [
        { role: 'user', content: 'How large is the hall?' },
        {
          role: 'assistant',
          content: names.map((name) => ({ type: 'tool-call', id: name, name, arguments: '{}' })),
        },
        {
          role: 'tool',
          responses: Object.entries(given).map(([name, content]) => ({ id: name, name, content })),
        },
        { role: 'assistant', content: 'Six square metres.' },
      ])
      const words = ['--conversation', 'rooms', '--tools', 'rooms.ts']
      expect(await project.cassette(...words)).toMatchObject({ exitCode: 0 })
      const test = project.read('rooms.test.ts')
      expect(test).toContain(`"measureRoom":{"result":${row.supplied}}`)
      expect(test).toContain('"nameRoom":{"result":"12"}')
      expect(test).toContain('"describeRoom":{"result":"{\\"not\\":\\"parsed\\"}"}')
    },
  )

  it('has what programs gave of a chat with --code-mode, whose tool no file exports', async () => {
    const project = cassetteProject()
    const code = 'return (await tools.weather({ city: "Rome" })).degrees'
    await project.keep('programs', [
      { role: 'user', content: 'How warm is it?' },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', id: 'r1', name: 'runProgram', arguments: JSON.stringify({ code }) },
        ],
      },
      { role: 'tool', responses: [{ id: 'r1', name: 'runProgram', content: '{"result":21}' }] },
      { role: 'assistant', content: '21 degrees.' },
    ])
    const { exitCode, stderr } = await project.cassette('-c', 'programs', '--tools', 'tools.ts')
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr:
        'toolwright: The test uses the tools as the cassette knows them: the conversation had runProgram, which no file exports.\n',
    })
    const { exchanges, tools } = JSON.parse(project.read('programs.cassette.json')) as File
    expect(exchanges.map(({ kind }) => kind)).toEqual(['model', 'tool', 'model'])
    expect(JSON.stringify(exchanges[1])).toContain('21')
    expect(Object.keys(tools).sort()).toEqual(['locate', 'pay', 'runProgram', 'weather'])
  })

  it('has a tool that no file exports, also if all that it gave was errors', async () => {
    const project = cassetteProject()
    const asked = (id: string, name: string) =>
      ({ type: 'tool-call', id, name, arguments: '{"code":"return 1"}' }) as const
    const failed = 'ToolError: pay (denied): Not run: denied. Too much.\n\nCalls that ran: 1.'
    await project.keep('programs', [
      { role: 'user', content: 'Pay.' },
      { role: 'assistant', content: [asked('r1', 'runProgram'), asked('r2', 'madeUp')] },
      {
        role: 'tool',
        responses: [
          { id: 'r1', name: 'runProgram', content: failed, isError: true },
          {
            id: 'r2',
            name: 'madeUp',
            content: 'Not run: there is no tool called "madeUp". Available tools: runProgram.',
            isError: true,
          },
        ],
      },
      { role: 'assistant', content: 'It was denied.' },
    ])
    const { exitCode, stderr } = await project.cassette('-c', 'programs', '--tools', 'tools.ts')
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr:
        'toolwright: The test uses the tools as the cassette knows them: the conversation had runProgram, which no file exports.\n',
    })
    const text = project.read('programs.cassette.json')
    const { exchanges, tools } = JSON.parse(text) as File
    expect(exchanges.map(({ kind }) => kind)).toEqual(['model', 'tool', 'model'])
    expect(Object.keys(tools).sort()).toEqual(['locate', 'pay', 'runProgram', 'weather'])
    expect(JSON.stringify(exchanges[2])).toContain(JSON.stringify(failed))
    expect(text).not.toContain('no tool called \\"runProgram')
    expect(text).toContain('no tool called \\"madeUp')
  })

  it.each(['call', 'stream'] as const)(
    'makes the edits that were made, also of calls that failed (%s)',
    async (mode) => {
      const project = cassetteProject({
        'shop.ts': `
        import { tool } from 'toolwright'
        import { z } from 'zod'
        export const order = tool({
          name: 'order',
          description: 'Order',
          input: z.object({ item: z.string(), count: z.int() }),
          approval: true,
          execute: () => { throw new Error('This must not run.') },
        })`,
      })
      const order = tool({
        name: 'order',
        description: 'Order',
        input: z.object({ item: z.string(), count: z.int() }),
        approval: true,
        execute: ({ item, count }) => {
          if (item === 'moon') throw new Error('There is no moon.')
          return item === 'map' ? [{ type: 'text' as const, text: 'A map' }] : { item, count }
        },
      })
      const call = (item: string) => ({ name: 'order', arguments: { item, count: 9 } })
      const client = ChatClient.create(
        scriptedModel([
          { toolCalls: [call('pen'), call('moon'), call('map'), call('cup')] },
          'Ordered.',
        ]),
        {
          tools: [order],
          observer: traceFile(join(project.folder, 'chat.jsonl'), { content: true }),
          ids: countingIds(),
        },
      )
      const { state, messages } = await client.prompt('Order them.')[mode]().result()
      expect(messages).toHaveLength(2)
      const decisions = {
        call_1: { edit: { item: 'pen', count: 2 } },
        call_2: { edit: { item: 'moon', count: 1 } },
        call_3: { edit: { item: 'map', count: 1 } },
        call_4: 'approve' as const,
      }
      const ended = await client.resume(state!, decisions)[mode]().result()
      expect(await project.cassette('chat.jsonl', '--tools', 'shop.ts')).toMatchObject({
        exitCode: 0,
        stderr: '',
      })
      expect(project.read('chat.test.ts')).toContain(JSON.stringify(decisions))
      const { exchanges } = JSON.parse(project.read('chat.cassette.json')) as File
      const inputs = exchanges.flatMap((each) => (each.kind === 'tool' ? [each.input] : []))
      expect(inputs).toEqual([
        { item: 'pen', count: 2 },
        { item: 'moon', count: 1 },
        { item: 'map', count: 1 },
        { item: 'cup', count: 9 },
      ])
      const told = exchanges.findLast(({ kind }) => kind === 'model')!.request!.messages.at(-1)!
      const contents = ({ responses }: ToolMessage): readonly unknown[] =>
        responses.map(({ content }) => content)
      expect(contents(told)).toEqual(contents(ended.messages.at(-2) as ToolMessage))
    },
  )

  it('takes a file of messages, and knows the tools by name where none are given', async () => {
    const messages = CONVERSATION.slice(0, 4)
    const project = cassetteProject({
      'talk.json': JSON.stringify({ conversation: 'x', skipped: 0, messages }),
      'list.json': JSON.stringify([{ role: 'system', content: 'Be brief.' }, ...messages]),
    })
    const { stdout, stderr } = await project.cassette('talk.json', '-o', 'tests/one.test.ts')
    expect(stdout).toBe('tests/one.cassette.json\ntests/one.test.ts\n')
    expect(stderr).toBe(
      'toolwright: The test knows the tools by name only. Give --tools <file> to test your own.\n',
    )
    expect((await project.cassette('list.json')).exitCode).toBe(0)
    expect(project.read('list.test.ts')).toContain('system: "Be brief.",')
  })

  it('takes a trace of one conversation, if it has content', async () => {
    const project = cassetteProject()
    const look = tool({ name: 'look', description: 'Look', execute: () => 'Sunny' })
    let ids = countingIds()
    const traced = async (name: string, content: boolean, questions: readonly string[]) => {
      const observer = traceFile(join(project.folder, name), { content })
      const steps = questions.flatMap(() => [{ toolCalls: [{ name: 'look' }] }, 'Sunny.'])
      const client = ChatClient.create(scriptedModel(steps), { tools: [look], observer, ids })
      for (const question of questions) await client.prompt(question).call().content()
    }
    await traced('full.jsonl', true, ['How is it?'])
    await traced('bare.jsonl', false, ['How is it?'])
    ids = countingIds()
    await traced('mixed.jsonl', false, ['How is it?'])
    await traced('mixed.jsonl', true, ['How is it?'])
    ids = countingIds()
    await traced('two.jsonl', true, ['How is it?', 'And now?'])
    expect((await project.cassette('full.jsonl')).exitCode).toBe(0)
    expect(project.read('full.test.ts')).toContain('How is it?')
    const { exchanges } = JSON.parse(project.read('full.cassette.json')) as File
    expect(exchanges.map(({ kind }) => kind)).toEqual(['model', 'tool', 'model'])
    const bare = await project.cassette('bare.jsonl')
    expect(bare.stderr).toContain('is a trace without content. Write it with traceFile(path, {')
    const mixed = await project.cassette('mixed.jsonl', '--run', 'run_1')
    expect(mixed.stderr).toContain('What was chosen of mixed.jsonl was written without content.')
    const two = await project.cassette('two.jsonl')
    expect(two.stderr).toBe(
      'toolwright: two.jsonl holds 2 runs that do not go on from one another: run_1, run_2. Choose one with --run <id>.\n',
    )
    expect([bare.exitCode, two.exitCode]).toEqual([2, 2])
  })

  it('takes a run of a trace whose answer is the result of a tool', async () => {
    const project = cassetteProject({
      'look.ts': `
        import { tool } from 'toolwright'
        export const look = tool({ name: 'look', description: 'Look', returnDirect: true, execute: () => 'Sunny' })
      `,
    })
    const look = tool({
      name: 'look',
      description: 'Look',
      returnDirect: true,
      approval: true,
      execute: () => 'Sunny',
    })
    const called = { toolCalls: [{ name: 'look' }, { name: 'look' }] }
    const client = ChatClient.create(scriptedModel([called, 'Yes.']), {
      tools: [look],
      observer: traceFile(join(project.folder, 'chat.jsonl'), { content: true }),
      advisors: [chatMemoryAdvisor(messageWindowMemory(), { storeToolExchange: true })],
      ids: countingIds(),
    })
    const talk = client.prompt('How is it?').conversation('c-1')
    const { state, pending } = await talk.call().result()
    const decisions = Object.fromEntries(pending!.map(({ callId }) => [callId, 'approve'] as const))
    await client.resume(state!, decisions).conversation('c-1').call().result()
    const alone = await project.cassette('chat.jsonl')
    expect(alone).toMatchObject({ exitCode: 0 })
    expect(project.read('chat.test.ts')).toContain('toBe("Sunny')
    const withTools = await project.cassette(
      'chat.jsonl',
      '--tools',
      'look.ts',
      '-o',
      'two.test.ts',
    )
    expect(withTools).toMatchObject({ exitCode: 0, stderr: '' })
    const { exchanges } = JSON.parse(project.read('two.cassette.json')) as File
    expect(exchanges.map(({ kind }) => kind)).toEqual(['model', 'tool', 'tool'])
    // A run that goes on from it.
    await client.prompt('Sure?').conversation('c-1').call().content()
    expect(await project.cassette('chat.jsonl', '--force')).toMatchObject({ exitCode: 0 })
    expect(project.read('chat.test.ts')).toContain('Sure?')
  })

  it('takes a trace whose last run never asked its model', async () => {
    const project = cassetteProject({})
    const look = tool({ name: 'look', description: 'Look', execute: () => 'Sunny' })
    const steps = [{ toolCalls: [{ name: 'look' }] }, 'Sunny.']
    const client = ChatClient.create(scriptedModel([...steps, ...steps]), {
      tools: [look],
      observer: traceFile(join(project.folder, 'chat.jsonl'), { content: true }),
      advisors: [chatMemoryAdvisor(messageWindowMemory(), { storeToolExchange: true })],
      ids: countingIds(),
    })
    for (const words of ['How is it?', 'And now?'])
      await client.prompt(words).conversation('c-1').call().content()
    // Of a run that waits elsewhere.
    const pay = tool({ name: 'pay', approval: true, execute: () => 'paid' })
    const elsewhere = ChatClient.create(scriptedModel([{ toolCalls: [{ name: 'pay' }] }]))
    const { state } = await elsewhere.prompt('Pay').tools(pay).call().result()
    await expect(client.resume(state!, { call_1: 'approve' }).call().result()).rejects.toThrow()
    expect(await project.cassette('chat.jsonl')).toMatchObject({ exitCode: 0 })
    expect(project.read('chat.test.ts')).toContain('And now?')
    const alone = await project.cassette('chat.jsonl', '--run', 'run_3', '--force')
    expect(alone.stderr).toContain('No question of this conversation was answered')
  })

  it('takes the run of a trace that --run names', async () => {
    const project = cassetteProject({ 'list.json': JSON.stringify(CONVERSATION) })
    const look = tool({ name: 'look', description: 'Look', execute: () => 'Sunny' })
    const steps = [{ toolCalls: [{ name: 'look' }] }, 'Sunny.']
    const client = ChatClient.create(scriptedModel([...steps, ...steps]), {
      tools: [look],
      observer: traceFile(join(project.folder, 'chat.jsonl'), { content: true }),
      advisors: [chatMemoryAdvisor(messageWindowMemory())],
      ids: countingIds(),
    })
    // The memory keeps no calls, so the second run does not hold all of the first.
    for (const question of ['How is it?', 'And now?'])
      await client.prompt(question).conversation('c-1').call().content()
    expect((await project.cassette('chat.jsonl')).stderr).toContain('holds 2 runs')
    expect((await project.cassette('chat.jsonl', '--run', 'run_1')).exitCode).toBe(0)
    expect(project.read('chat.test.ts')).not.toContain('And now?')
    expect((await project.cassette('chat.jsonl', '--run', 'run_2', '--force')).exitCode).toBe(0)
    expect(project.read('chat.test.ts')).toContain('And now?')
    const wrong = [
      [['chat.jsonl', '--run', 'run_3'], 'There is no run "run_3" in it. There are: run_1, run_2.'],
      [['chat.jsonl', '--run', 'run'], 'Several runs begin with "run": run_1, run_2.'],
      [['list.json', '--run', 'run_1'], '--run is for trace files, and list.json is none.'],
      [['--conversation', 'c', '--run', 'run_1'], '--run is for trace files'],
    ] as const
    for (const [words, why] of wrong) {
      const refused = await project.cassette(...words, '--force')
      expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) })
    }
  })

  it('writes over nothing without --force', async () => {
    const project = cassetteProject({
      'a.json': JSON.stringify(CONVERSATION.slice(0, 4)),
      'a.test.ts': 'mine',
    })
    const refused = await project.cassette('a.json')
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr:
        'toolwright: a.test.ts is there already. Name others with --out, or write over it with --force.\n',
    })
    expect(existsSync(join(project.folder, 'a.cassette.json'))).toBe(false)
    for (const _ of [1, 2]) expect((await project.cassette('a.json', '--force')).exitCode).toBe(0)
    expect(project.read('a.test.ts')).not.toBe('mine')
  })

  it.each<[string, string, string]>([
    [
      'no JSON',
      'toolwright',
      'a.json holds no messages. Give what toolwright conversations show <id> --json',
    ],
    [
      'lines of chat --json',
      '{"type":"round-end"}\n{"type":"response"}\n',
      'a.json holds no messages.',
    ],
    [
      'a wrong message',
      '[{"role":"user","content":"a"},{"role":"bot"}]',
      'a.json: $.messages[1] is no message.',
    ],
    [
      'a part of it',
      '{"skipped":2,"messages":[{"role":"user","content":"a"}]}',
      'lacks the first 2 messages. Write it with --limit 3.',
    ],
    [
      'no answers',
      '[{"role":"user","content":"a"}]',
      'No question of this conversation was answered',
    ],
  ])('says what is wrong with a file: %s', async (_what, text, message) => {
    const project = cassetteProject({ 'a.json': text })
    const { stderr, exitCode } = await project.cassette('a.json')
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
    expect(readdirSync(project.folder).filter((name) => name.startsWith('a.'))).toEqual(['a.json'])
  })

  it('says where it cannot write', async () => {
    const project = cassetteProject({ 'a.json': JSON.stringify(CONVERSATION.slice(0, 4)) })
    const { stderr, exitCode } = await project.cassette('a.json', '--out', 'a.json/b')
    expect(stderr).toMatch(/b\.cassette\.json cannot be written: .*name another with --out\.\n$/)
    expect(exitCode).toBe(2)
  })

  it('says what is wrong with the command line', async () => {
    const project = cassetteProject()
    expect((await project.cassette('nix.json')).stderr).toContain('nix.json cannot be read: ENOENT')
    expect((await project.cassette()).exitCode).toBe(2)
    expect((await project.cassette('-c', '')).stderr).toContain('--conversation is empty.')
    expect((await project.cassette('-c', 'trip')).stderr).toContain(
      'There is no conversation "trip".',
    )
    await project.keep('trap', CONVERSATION)
    expect((await project.cassette('-c', 'trip')).stderr).toContain('Did you mean trap?')
  })
})
