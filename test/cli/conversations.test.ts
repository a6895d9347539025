/** `toolwright conversations`: list, show, delete. What `chat` keeps is in the slow suites too. */
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Message } from 'toolwright'
import { answered, home, said } from './conversations-home.ts'

describe('toolwright conversations', () => {
  it('says that there are none, and makes nothing', async () => {
    const { folder, here } = home()
    expect(await here()).toEqual({
      stdout: '',
      stderr: 'There are none. toolwright chat --conversation <id> begins one.\n',
      exitCode: 0,
    })
    expect(await here('--json')).toEqual({ stdout: '[]\n', stderr: '', exitCode: 0 })
    expect((await here('show', 'a')).stderr).toContain('There is no conversation "a".')
    expect(readdirSync(folder)).toEqual([])
  })

  it('lists those that changed last first, with their messages and times', async () => {
    const { here, run, stored } = home()
    const ids = ['a', 'b\\u0041\n', '日本語', 'd']
    const before = Date.now()
    await stored(async (repository) => {
      for (const id of ids) await repository.append(id, [said('one')])
      await repository.append({ tenant: 'acme', conversation: 'of a program' }, [said('one')])
      await repository.append('empty', [])
      while (Date.now() === before);
      await repository.append('b\\u0041\n', [answered('two')])
    })
    const { stdout, stderr } = await run('conversations', 'list', '--json', '--limit', '3')
    const listed = JSON.parse(stdout) as { changedAt: string }[]
    expect(listed).toMatchObject([
      { conversation: 'b\\u0041\n', messages: 2 },
      { conversation: 'd', messages: 1 },
      { conversation: '日本語', messages: 1 },
    ])
    for (const { changedAt } of listed) expect(Date.parse(changedAt)).toBeGreaterThanOrEqual(before)
    expect(stderr).toBe('1 more; --limit 4 shows them.\n')
    const lines = (await here()).stdout.trimEnd().split('\n')
    expect(lines.map((line) => line.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}/, ''))).toEqual([
      '2  b\\u0041␊',
      '1  d',
      '1  日本語',
      '1  a',
    ])
  })

  const CONVERSATION: readonly Message[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Look\nhere' }, { type: 'image', mediaType: 'image/png', data: 'AAAA' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'tool-call', id: '1', name: 'look', arguments: '{"at":"it"}' },
        { type: 'tool-call', id: '2', name: 'fail', arguments: '{' },
      ],
    },
    {
      role: 'tool',
      responses: [
        { id: '1', name: 'look', content: 'a \x1b[31mcat\x1b[0m' },
        { id: '2', name: 'fail', content: 'no', isError: true },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'A cat.' }, { type: 'provider', kind: 'web_search', data: {} }] },
  ] // prettier-ignore

  it('shows messages, calls and results, the newest of many', async () => {
    const { here, stored } = home()
    await stored((repository) => repository.append('a', CONVERSATION))
    expect(await here('show', 'a')).toEqual({
      stdout: `system
  Be brief.

user
  Look
  here
  [image, image/png, 1 kB]

assistant
  Hm.
  → look {"at":"it"}
  → fail {

tool
  ← look: a \x1b[31mcat\x1b[0m
  ✗ fail: no

assistant
  A cat.
  [web_search]
`,
      stderr: '',
      exitCode: 0,
    })
    const newest = await here('show', 'a', '--limit', '1')
    expect(newest.stdout).toBe('assistant\n  A cat.\n  [web_search]\n')
    expect(newest.stderr).toBe('4 messages before these; --limit 5 shows all.\n')
    const all = JSON.parse((await here('show', 'a', '--json')).stdout) as object
    expect(all).toEqual({ conversation: 'a', skipped: 0, messages: CONVERSATION })
  })

  it('shows no more than is asked for of a long conversation', async () => {
    const { here, stored } = home()
    const many = Array.from({ length: 3000 }, (_, index) => said(`m${index}`))
    await stored((repository) => repository.append('a', many))
    const { stdout, stderr } = await here('show', 'a', '--json')
    const { skipped, messages } = JSON.parse(stdout) as { skipped: number; messages: Message[] }
    expect({ skipped, messages }).toEqual({ skipped: 2950, messages: many.slice(-50) })
    expect(stderr).toBe('2,950 messages before these; --limit 3000 shows all.\n')
    const whole = await here('show', 'a', '--limit', '3000')
    expect(whole.stdout.match(/^user$/gm)).toHaveLength(3000)
  })

  it('deletes one and says what', async () => {
    const { here, stored } = home()
    await stored(async (repository) => {
      await repository.append('a', [said('one'), answered('two')])
      await repository.append('b', [said('one')])
    })
    expect(await here('delete', 'a')).toEqual({
      stdout: 'Deleted a, 2 messages.\n',
      stderr: '',
      exitCode: 0,
    })
    const json = await here('delete', 'b', '--json')
    expect(JSON.parse(json.stdout)).toEqual({ conversation: 'b', messages: 1 })
    expect(await stored((repository) => repository.conversations())).toEqual([])
  })

  it.each([
    [['show', 'wrok'], 'There is no conversation "wrok". Did you mean work? toolwright conversations lists'],
    [['delete', 'nothing'], 'There is no conversation "nothing". toolwright conversations lists those there are.'],
    [['shwo', 'work'], 'conversations has no "shwo". Did you mean show? There are: list, show, delete.'],
    [['show'], 'show needs the id of a conversation; toolwright conversations lists them.'],
    [['delete', ' '], 'delete needs the id of a conversation;'],
    [['list', 'work'], 'list takes no id. To see one: toolwright conversations show "work".'],
    [['show', 'a', 'b'], '"b" is too much. See toolwright conversations --help.'],
    [['--limit', '0'], '--limit is a whole number from 1, not "0".'],
    [['--jsn'], 'conversations has no option --jsn. Did you mean --json?'],
  ])('%j: says what is wrong, exit code 2', async (words, expected) => {
    const { here, stored } = home()
    await stored((repository) => repository.append('work', [said('one')]))
    const { stdout, stderr, exitCode } = await here(...words)
    expect(stderr).toContain(expected)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
  }) // prettier-ignore
})
