/** What `chat --conversation` keeps, what it takes over, and a terminal that shows it: in real processes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Message } from 'toolwright'
import { runCommand } from './command-process.ts'
import { answered, home, said } from './conversations-home.ts'
import { NO_TERMINAL, PseudoTerminal, spawnInTerminal } from './pseudo-terminal.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TAKE_OVER = fileURLToPath(new URL('take-over-process.ts', import.meta.url))

const textsOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) => (message.role === 'user' ? [String(message.content)] : []))

/** Fails when something of the database is loaded. */
const NO_DATABASE = `import { register } from 'node:module'
register('data:text/javascript,' + encodeURIComponent(\`
export const resolve = (name, context, next) => {
  if (/packages.sql.|^(@toolwright.sql|libsql|kysely|pg)$/.test(name)) throw new Error('loads ' + name)
  return next(name, context)
}\`))`

describe('chat --conversation', () => {
  it('keeps what is said in one database, which is only for its owner', async () => {
    const { folder, file, chat, stored } = home()
    expect(await chat('Trip 🙂', 'Hello')).toMatchObject({ exitCode: 0 })
    await chat('Trip 🙂', 'Who are you?')
    await chat('other', 'Hi')
    expect(readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name))).toEqual([
      'conversations.db',
    ])
    for (const name of readdirSync(folder))
      expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
    expect(existsSync(file)).toBe(true)
    const messages = await stored((repository) => repository.find('Trip 🙂'))
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
    expect(textsOf(messages)).toEqual(['Hello', 'Who are you?'])
  })

  it('loses nothing when two processes talk in it at the same time', async () => {
    const { env, stored } = home()
    const prompts = (name: string): readonly string[] =>
      Array.from({ length: 8 }, (_, index) => `${name} ${index}`)
    const talk = async (name: string): Promise<void> => {
      const { exitCode, stderr } = await runCommand({
        words: ['chat', '--model', 'demo', '--conversation', 'both', '--json'],
        cwd: tmpdir(),
        env,
        input: prompts(name)
          .map((prompt) => `${JSON.stringify({ prompt })}\n`)
          .join(''),
      })
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    }
    await Promise.all([talk('left'), talk('right')])
    const messages = await stored((repository) => repository.find('both'))
    expect(messages).toHaveLength(32)
    const texts = textsOf(messages)
    for (const name of ['left', 'right'])
      expect(texts.filter((text) => text.startsWith(name))).toEqual(prompts(name))
  })

  it('alone loads the database', async () => {
    const { env } = home()
    const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(NO_DATABASE)}"`
    const run = (...words: string[]) =>
      runCommand({ words, cwd: tmpdir(), env: { ...env, NODE_OPTIONS }, input: '' })
    for (const words of [['--help'], ['conversations', '--help'], ['chat', '-m', 'demo', 'Hi']])
      expect(await run(...words)).toMatchObject({ stderr: '', exitCode: 0 })
    const kept = await run('chat', '-m', 'demo', '--conversation', 'a', 'Hi')
    expect(kept.stderr).toContain('loads ')
    expect(kept.exitCode).toBe(2)
  })
})

describe('conversations of earlier versions', () => {
  it('are taken over when they are asked for, each once', async () => {
    const { earlier, path, chat, stored } = home()
    earlier('work.jsonl', 'work', [said('one'), answered('1')], [said('two'), answered('2')])
    earlier('trip.05c36c49bdd43103.jsonl', 'Trip', [said('Berlin')])
    expect(await chat('work', 'three')).toMatchObject({ stderr: '', exitCode: 0 })
    await chat('work', 'four')
    const messages = await stored((repository) => repository.find('work'))
    expect(textsOf(messages)).toEqual(['one', 'two', 'three', 'four'])
    expect(existsSync(path('work.jsonl'))).toBe(false)
    // Not asked for yet.
    expect(existsSync(path('trip.05c36c49bdd43103.jsonl'))).toBe(true)
  })

  it('are listed, shown and deleted as if they had always been there', async () => {
    const { earlier, path, here } = home()
    earlier('a.jsonl', 'a', [said('one')])
    earlier('b.jsonl', 'b', [said('one'), said('two')])
    earlier('trip.05c36c49bdd43103.jsonl', 'Trip', [said('Berlin')])
    utimesSync(path('b.jsonl'), 1000, 1000)
    expect((await here('show', 'Trip')).stdout).toBe('user\n  Berlin\n')
    const { stdout } = await here('list', '--json')
    const listed = JSON.parse(stdout) as { conversation: string; messages: number }[]
    expect(listed.map(({ conversation, messages }) => [conversation, messages])).toEqual([
      ['a', 1],
      ['b', 2],
      ['Trip', 1],
    ])
    expect((await here('delete', 'b')).stdout).toBe('Deleted b, 2 messages.\n')
    expect(readdirSync(path('.'))).toEqual(['take-over.lock'])
  })

  it('are taken over once by processes that ask at the same time', async () => {
    const { folder, earlier, path, stored } = home()
    const ids = Array.from({ length: 60 }, (_, index) => `c${index}`)
    for (const id of ids) earlier(`${id}.jsonl`, id, [said('one'), answered('1')], [said('two')])
    const names = ['p', 'q', 'r']
    const processes = names.map((name) => {
      const words = ['--import', 'tsx', TAKE_OVER, folder, name, ...ids]
      const child = spawn(process.execPath, words, { cwd: ROOT })
      onTestFinished(() => void child.kill('SIGKILL'))
      let errors = ''
      child.stderr.on('data', (text) => (errors += String(text)))
      const ready = once(child.stdout, 'data')
      const ended = once(child, 'close').then(([code]) => ({ code: code as number, errors }))
      return { child, ready, ended }
    })
    await Promise.all(processes.map(({ ready }) => ready))
    for (const { child } of processes) child.stdin.write('go')
    for (const { ended } of processes) expect(await ended).toEqual({ code: 0, errors: '' })
    for (const id of ids) {
      const texts = textsOf(await stored((repository) => repository.find(id)))
      expect(texts.slice(0, 2)).toEqual(['one', 'two'])
      expect(texts.slice(2).sort()).toEqual(names)
    }
    expect(readdirSync(path('.'))).toEqual(['take-over.lock'])
  })

  it.each([
    ['before anything was stored', 0],
    ['after everything was stored', 2],
  ])('are taken over once though a process was killed %s', async (_when, count) => {
    const { earlier, here, path, stored } = home()
    const messages = [said('one'), said('two')]
    earlier('work.jsonl.taking', 'work', messages)
    await stored((repository) => repository.append('work', [said('zero')]))
    if (count > 0) await stored((repository) => repository.append('work', messages))
    // A process of an earlier version still writes.
    earlier('work.jsonl', 'work', [said('three')])
    expect((await here('show', 'work')).stderr).toBe('')
    const texts = textsOf(await stored((repository) => repository.find('work')))
    expect(texts).toEqual(['zero', 'one', 'two', 'three'])
    expect(readdirSync(path('.'))).toEqual(['take-over.lock'])
  })

  it('keep the lines that cannot be read until the conversation is deleted', async () => {
    const { earlier, here, path } = home()
    earlier('work.jsonl', 'work', [said('one')])
    writeFileSync(path('work.jsonl'), '{"conversation":"wo', { flag: 'a' })
    const { stdout, stderr, exitCode } = await here('show', 'work')
    expect({ stdout, exitCode }).toEqual({ stdout: 'user\n  one\n', exitCode: 0 })
    const kept = path('work.jsonl.damaged')
    expect(stderr).toBe(
      `toolwright: ${path('work.jsonl')} was damaged: lines that cannot be read (1) are kept in ${kept}.\n`,
    )
    expect(readFileSync(kept, 'utf8')).toBe('{"conversation":"wo\n')
    expect(await here('show', 'work')).toMatchObject({ stdout: 'user\n  one\n', stderr: '' })
    await here('delete', 'work')
    expect(existsSync(kept)).toBe(false)
  })

  it('that cannot be taken over are named, and the others listed', async () => {
    const { earlier, here, path, chat, stored } = home()
    earlier('good.jsonl', 'good', [said('one')])
    mkdirSync(path('bad.jsonl'))
    const message = `A conversation that an earlier version kept in ${path('bad.jsonl')} cannot be taken over: EISDIR`
    for (const { stderr, exitCode } of [await chat('bad', 'Hi'), await here('show', 'bad')]) {
      expect(stderr).toContain(message)
      expect(stderr).toContain('Mend that and try again, or move the file away.')
      expect(exitCode).toBe(2)
    }
    const { stdout, stderr, exitCode } = await here()
    expect(stdout).toMatch(/ 1 {2}good\n$/)
    expect(stderr).toContain(message)
    expect(exitCode).toBe(0)
    expect(await stored((repository) => repository.find('bad'))).toEqual([])
  })
})

describe('toolwright conversations', () => {
  it('is harmless on a terminal, and cuts what is long there', async ({ skip }) => {
    skip(spawnInTerminal === undefined, NO_TERMINAL)
    const { env, stored } = home()
    const evil = '\x1b]0;title\x07\x1b[2Jx'
    const response = { id: '1', name: 'look', content: 'long '.repeat(1000) }
    await stored(async (repository) => {
      await repository.append(evil, [said(evil), { role: 'tool', responses: [response] }])
    })
    const shown = async (...words: string[]): Promise<string> => {
      const terminal = new PseudoTerminal({ words, cwd: tmpdir(), env, stays: true })
      onTestFinished(() => terminal.dispose())
      await terminal.shows('[ended')
      expect(terminal.raw).not.toMatch(/\x1b\]|\x1b\[2J|\x07/)
      return terminal.text.replaceAll(/\s+/g, ' ')
    }
    expect(await shown('conversations')).toMatch(/ 2 ␛\]0;title␇x \[ended 0\]$/)
    const text = await shown('conversations', 'show', evil)
    expect(text).toContain('user ␛]0;title␇x tool ← look: long long')
    expect(text).toContain('… 4,200 more characters')
    expect(await shown('conversations', 'show', evil, '--full')).not.toContain('more characters')
    expect(await shown('conversations', 'show', `${evil}y`)).toContain('There is no conversation')
    expect(await shown('conversations', 'delete', evil)).toContain('Deleted ␛]0;title␇x, 2 messages.')
  }) // prettier-ignore
})
