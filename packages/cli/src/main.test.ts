/** The command as a shell sees it: help, version, mistakes, exit codes, pipes that close early. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { BIN, runCommand } from '../../../test/cli/command-process.ts'

const run = (...words: string[]) => runCommand({ words, cwd: tmpdir(), input: '' })
const shell = (line: string) => spawnSync('bash', ['-c', line], { encoding: 'utf8' })
const manifest = new URL('../package.json', import.meta.url)
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }

describe('toolwright', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']]])('%j prints the commands', async (words) => {
    const { stdout, stderr, exitCode } = await run(...words)
    for (const name of ['chat', 'conversations', 'tools', 'call', 'search', 'mcp'])
      expect(stdout).toMatch(new RegExp(`^  ${name} +[A-Z]`, 'm'))
    expect(stdout).toContain('Usage: toolwright <command>')
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  })

  it('says its version', async () => {
    expect(await run('--version')).toEqual({ stdout: `${version}\n`, stderr: '', exitCode: 0 })
  })

  it.each(['tools', 'call', 'search', 'mcp'])('explains %s', async (name) => {
    const { stdout, exitCode } = await run(name, '--help')
    expect(await run('help', name)).toMatchObject({ stdout, exitCode })
    expect(stdout).toContain(`Usage: toolwright ${name} <file>`)
    expect(stdout).toContain('-h, --help')
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(115)
    expect(exitCode).toBe(0)
  })

  it.each([
    [['chta'], 'There is no command "chta". Did you mean chat?'],
    [['help', 'chta'], 'There is no command "chta". Did you mean chat?'],
    [['tool'], 'There is no command "tool". Did you mean tools? There are: '],
    [
      ['tools'],
      'toolwright tools takes <file>; something is missing. See toolwright tools --help.',
    ],
    [['tools', 'a.ts', 'b.ts'], '"b.ts" is too much'],
    [['tools', 'a.ts', '--jason'], 'tools has no option --jason. Did you mean --json?'],
    [['tools', 'a.ts', '--json=yes'], '--json is a switch and takes no value'],
    [['search', 'a.ts', 'x', '--limit'], '--limit needs a value: --limit <number>'],
  ])('%j: says what is wrong, exit code 2', async (words, expected) => {
    const { stdout, stderr, exitCode } = await run(...words)
    expect(stderr).toContain(`toolwright: `)
    expect(stderr).toContain(expected)
    expect(stdout).toBe('')
    expect(exitCode).toBe(2)
  })

  it('says that its output cannot be written, exit code 1', ({ skip }) => {
    skip(!existsSync('/dev/full'), 'there is no device that is always full')
    const { stderr, status } = shell(`node '${BIN}' --help >/dev/full`)
    expect(stderr).toMatch(
      /^toolwright: The output cannot be written: ENOSPC.* Write it elsewhere\.\n$/,
    )
    expect(status).toBe(1)
  })

  it('does its job when nobody wants its notes', () => {
    const { stdout, status } = shell(
      `node '${BIN}' nonsense 2>&1 >&- | true; echo "\${PIPESTATUS[0]}"`,
    )
    expect({ stdout, status }).toEqual({ stdout: '2\n', status: 0 })
  })

  it('ends quietly when its reader has seen enough', () => {
    const line = `node '${BIN}' --help | head -1; echo "\${PIPESTATUS[0]}"`
    const { stdout, stderr } = shell(line)
    expect(stdout).toBe(`toolwright ${version}: tool calling for TypeScript\n0\n`)
    expect(stderr).toBe('')
  })
})
