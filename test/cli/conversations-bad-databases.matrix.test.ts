/** Databases of conversations that the command cannot use, in real processes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { withLibsql } from '../../packages/cli/src/conversations/with-libsql.ts'
import { BIN, cleanEnvironment, runCommand } from './command-process.ts'
import { home, said } from './conversations-home.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LOCKING = fileURLToPath(new URL('locking-process.ts', import.meta.url))

describe('a database that cannot be used is an error with a next step', () => {
  /** What `chat` and `conversations` both say. */
  async function complaint(it: ReturnType<typeof home>): Promise<string> {
    const chat = await it.chat('a', 'Hi')
    const json = await it.chatHere('--conversation', 'a', '--json', 'Hi')
    for (const end of [chat, json, await it.here()]) {
      expect(end.exitCode).toBe(2)
      expect(end.stderr).toBe(chat.stderr)
      expect(end.stderr).toMatch(/^toolwright: [^\n]+\n$/)
    }
    expect(chat.stdout).toBe('')
    expect(JSON.parse(json.stdout)).toMatchObject({ type: 'error' })
    return chat.stderr
  }

  it('no database', async () => {
    const it = home()
    writeFileSync(it.file, 'Dear diary, today nothing happened. '.repeat(200))
    expect(await complaint(it)).toBe(
      `toolwright: Conversations in ${it.file} cannot be used: the file is damaged: file is not a database. Repair it, or move it away and begin a new one.\n`,
    )
    expect(readFileSync(it.file, 'utf8')).toContain('Dear diary')
  })

  it('a folder', async () => {
    const it = home()
    mkdirSync(it.file)
    expect(await complaint(it)).toContain(
      'cannot be used: the file cannot be opened. Check that it is one, and your rights to it and its folder, or set TOOLWRIGHT_HOME to another folder.',
    )
  })

  it('a newer one', async () => {
    const it = home()
    await it.stored((repository) => repository.append('a', [said('one')]))
    await withLibsql(it.file, async (raw) => raw.exec('update toolwright_schema set version = 99'))
    expect(await complaint(it)).toContain(
      'cannot be used: a newer version of toolwright made the file. Update @toolwright/cli, or set TOOLWRIGHT_HOME to another folder.',
    )
  })

  it('one that another program locks', async () => {
    const it = home()
    await it.stored((repository) => repository.append('a', [said('one')]))
    const words = ['--import', 'tsx', LOCKING, it.file]
    const holder = spawn(process.execPath, words, { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')
    const { stdout, stderr, exitCode } = await it.chat('a', 'Hi')
    expect(stderr).toContain(
      `Conversations in ${it.file} cannot be used: another program keeps the file locked. Let that finish, then try again`,
    )
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
    // Readers do not wait for writers.
    expect((await it.here('show', 'a')).stdout).toBe('user\n  one\n')
  })

  it('one with a row that holds no message, which is named; the others can be read', async () => {
    const it = home()
    await it.stored(async (repository) => {
      await repository.append('a', [{ role: 'system', content: 'one' }])
      await repository.append('b', [said('one')])
    })
    const damage = `update toolwright_messages set content = '{', added_at = 9e18 where conversation_id = 1`
    await withLibsql(it.file, async (raw) => raw.exec(damage))
    const { stderr, exitCode } = await it.here('show', 'a')
    expect(stderr).toContain('The row 0 of conversation "a" in toolwright_messages')
    expect(stderr).not.toContain('should not have happened')
    expect(exitCode).toBe(2)
    expect((await it.here('show', 'b')).stdout).toBe('user\n  one\n')
    expect(JSON.parse((await it.here('--json')).stdout)).toHaveLength(2)
    expect((await it.here('delete', 'a')).stdout).toBe('Deleted a, which was damaged.\n')
    expect(JSON.parse((await it.here('--json')).stdout)).toHaveLength(1)
  })

  it('a folder that cannot be made', async () => {
    const it = home()
    writeFileSync(join(it.folder, 'file'), '')
    const env = { TOOLWRIGHT_HOME: join(it.folder, 'file') }
    const words = ['chat', '-m', 'demo', '-c', 'a', 'Hi']
    const { stderr, exitCode } = await runCommand({ words, cwd: tmpdir(), env, input: '' })
    expect(stderr).toMatch(/cannot be used: EN?\w+: [^\n]*\. Mend that, or set TOOLWRIGHT_HOME to another folder\.\n$/)
    expect(exitCode).toBe(2)
  }) // prettier-ignore

  it('a folder and a file that cannot be written', async () => {
    const it = home()
    await it.stored((repository) => repository.append('a', [said('one')]))
    /** The administrator may write anywhere, so it is somebody else. */
    const asNobody = async (...words: string[]) => {
      const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
      const env = cleanEnvironment({ ...it.env, HOME: tmpdir() })
      const child = spawn(process.execPath, [BIN, ...words], { cwd: '/', env, ...nobody })
      let [stdout, stderr] = ['', '']
      child.stdout.on('data', (text) => (stdout += String(text)))
      child.stderr.on('data', (text) => (stderr += String(text)))
      child.stdin.end()
      const [exitCode] = (await once(child, 'close')) as [number]
      return { stdout, stderr, exitCode }
    }
    const chat = (id: string) => asNobody('chat', '-m', 'demo', '-c', id, 'Hi')
    for (const name of readdirSync(it.folder)) chmodSync(join(it.folder, name), 0o444)
    chmodSync(it.folder, 0o755)
    if (process.getuid?.() !== 0) chmodSync(it.folder, 0o555)
    onTestFinished(() => chmodSync(it.folder, 0o755))
    const { stdout, stderr, exitCode } = await chat('a')
    expect(stderr).toMatch(/^toolwright: Conversations in .*\/conversations\.db cannot be used: the file cannot be (written to\. Make it writable|opened\. Check).* or set TOOLWRIGHT_HOME to another folder\.\n$/)
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
    rmSync(it.file)
    const missing = await chat('a')
    expect(missing.stderr).toContain('cannot be used: EACCES: permission denied')
    expect(missing.exitCode).toBe(2)
  }) // prettier-ignore
})
