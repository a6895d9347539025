/** A trace that cannot be written costs nothing but the trace: the run is as without it, with one notice. */
import fs, { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ChatClient, tool, type ChatEvent } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import { readTrace, traceFile } from 'toolwright/trace'
import { traceFolder } from './trace-folder.ts'

const MODES = ['call', 'stream'] as const

/** A run with a tool, and the messages of its notices. */
async function runInto(path: string, mode: (typeof MODES)[number], value: unknown = 'a') {
  const model = scriptedModel([{ toolCalls: [{ name: 'echo' }] }, 'Done.'])
  const echo = tool({
    name: 'echo',
    *execute() {
      yield value
      return value
    },
  })
  const observer = traceFile(path, { content: true })
  const run = ChatClient.create(model, { observer, tools: [echo] })
    .prompt('Go')
    [mode]()
  const events: ChatEvent[] = []
  for await (const event of run) events.push(event)
  const { status } = await run.result()
  observer.close()
  const notices = events.flatMap((event) => (event.type === 'notice' ? [event] : []))
  return { status, notices: notices.map(({ code, message }) => `${code}: ${message}`) }
}

describe.each(MODES)('%s', (mode) => {
  it('on a full disk there is one notice', async () => {
    const { status, notices } = await runInto('/dev/full', mode)
    expect(status).toBe('done')
    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatch(
      /^observer-failed: .*\/dev\/full cannot be written: ENOSPC.* Make room, or give another path/,
    )
  })

  it('a folder, and a place where nothing can be made, are told once', async () => {
    const folder = traceFolder()
    writeFileSync(join(folder, 'file'), 'x')
    symlinkSync(join(folder, 'nowhere', 'at', 'all'), join(folder, 'dangling'))
    const inside = ['file', 'dangling', 'file/deep/er'].map((name) =>
      join(folder, name, 'inside.jsonl'),
    )
    for (const path of [folder, ...inside]) {
      const { status, notices } = await runInto(path, mode)
      expect(status).toBe('done')
      expect(notices).toEqual([expect.stringContaining('cannot be written')])
    }
  })

  it.each([
    ['something else', 'my notes\nand more', 'It does not begin like a trace.'],
    ['a text', 'my notes\n', 'It does not begin like a trace.'],
    ['a text with blank lines', '\nmy notes\nand more\n\n', 'It does not begin like a trace.'],
    ['a log with JSON in it', 'started\n{"type":"trace","version":1}\n', 'not begin like a trace'],
    ['JSON that is something else', '{"name":"x"}\n', 'It does not begin like a trace.'],
    ['a trace of another version', '{"type":"trace","version":9}\n', 'of version 9'],
  ])('a file that is %s is left alone', async (_what, text, why) => {
    const path = join(traceFolder(), 'notes.txt')
    writeFileSync(path, text)
    const { status, notices } = await runInto(path, mode)
    expect(status).toBe('done')
    expect(notices).toEqual([expect.stringContaining(why)])
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('goes on after a torn last line, also if that is the first', async () => {
    for (const torn of [
      '{"type":"trace","version":1,"at":0,"writer":"w"}\n{"type":"sta',
      '{"typ',
    ]) {
      const path = join(traceFolder(), 'run.jsonl')
      writeFileSync(path, torn)
      expect(await runInto(path, mode)).toEqual({ status: 'done', notices: [] })
      const { runs, problems } = readTrace(readFileSync(path, 'utf8'))
      expect(runs).toMatchObject([{ status: 'done' }])
      expect(problems).toHaveLength(1)
    }
  })

  it('makes the folders that are missing', async () => {
    const path = join(traceFolder(), 'a/b/run.jsonl')
    expect(await runInto(path, mode)).toEqual({ status: 'done', notices: [] })
    expect(readTrace(readFileSync(path, 'utf8')).runs).toHaveLength(1)
  })

  it('writes of cyclic, gigantic and unreadable values what there is room for', async () => {
    const cyclic: { self?: unknown } = {}
    cyclic.self = cyclic
    const unreadable = Object.defineProperty({}, 'x', {
      enumerable: true,
      get() {
        throw new Error('no')
      },
    })
    const many = Array.from({ length: 40 }, () =>
      Array.from({ length: 40 }, () => 'x'.repeat(40_000)),
    )
    for (const value of [
      cyclic,
      'x'.repeat(3_000_000),
      many,
      unreadable,
      () => 1,
      10n,
      Symbol('s'),
    ]) {
      const path = join(traceFolder(), 'run.jsonl')
      const { status, notices } = await runInto(path, mode, value)
      expect(status).toBe('done')
      expect(notices.filter((each) => each.startsWith('observer-failed'))).toEqual([])
      const text = readFileSync(path, 'utf8')
      expect(readTrace(text)).toMatchObject({ runs: [{ status: 'done' }], problems: [] })
      for (const line of text.split('\n')) expect(line.length).toBeLessThan(3_000_000)
    }
  })
})

it('says at once what it cannot take', () => {
  expect(() => traceFile('')).toThrow('takes the path of a file first')
  expect(() => traceFile(7 as never)).toThrow('takes the path of a file first')
  expect(() => traceFile('x', { contents: true } as never)).toThrow('Did you mean "content"')
  expect(() => traceFile('x', { content: 'yes' } as never)).toThrow('true or false')
})

it('a folder that is made later is written to, and what is missing is said', async () => {
  const folder = traceFolder()
  const path = join(folder, 'sub', 'run.jsonl')
  writeFileSync(join(folder, 'sub'), 'in the way')
  const observer = traceFile(path)
  const client = ChatClient.create(scriptedModel(['A', 'B']), { observer })
  await client.prompt('1').call().content()
  rmSync(join(folder, 'sub'))
  mkdirSync(join(folder, 'sub'))
  await client.prompt('2').call().content()
  observer.close()
  const { runs, problems } = readTrace(readFileSync(path, 'utf8'))
  expect(runs).toMatchObject([{ status: 'done' }])
  expect(problems).toEqual([
    { line: 2, what: expect.stringMatching(/^\d+ lines before it could not/) },
  ])
})

it('messages whose line was lost stand in the next one', async () => {
  const path = join(traceFolder(), 'run.jsonl')
  const isSent = (bytes: unknown): boolean => String(bytes).includes('"type":"sent"')
  const write = fs.writeSync
  let sent = 0
  const disk = vi.spyOn(fs, 'writeSync').mockImplementation(((file: number, bytes: Buffer) => {
    if (isSent(bytes) && ++sent === 2) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    return write(file, bytes)
  }) as never)
  onTestFinished(() => disk.mockRestore())
  const look = tool({ name: 'look', execute: () => 'seen' })
  const looks = { toolCalls: [{ name: 'look' }] }
  const observer = traceFile(path, { content: true })
  await ChatClient.create(scriptedModel([looks, looks, 'Done.']), { observer, tools: [look] })
    .prompt('Go')
    .call()
    .content()
  observer.close()
  const [run] = readTrace(readFileSync(path, 'utf8')).runs
  const exchanges = run!.legs[0]!.rounds.flatMap((round) => round.exchanges)
  expect(exchanges.map(({ messages }) => messages?.map(({ role }) => role))).toEqual([
    ['user'],
    undefined,
    ['user', 'assistant', 'tool', 'assistant', 'tool'],
  ])
})
