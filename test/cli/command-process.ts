/** Runs the real command in a process of its own, as a shell would, or in this one. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { CommandIo } from '../../packages/cli/src/command/command.ts'
import { runCommandLine } from '../../packages/cli/src/main.ts'
import { builtPackages } from '../../scripts/build/built-packages.ts'

/** Built from the sources as they are now. In test/generate the command of the checkout runs, from the sources themselves. */
export const { command: BIN } = await builtPackages()

export interface CommandRun {
  readonly words: readonly string[]
  readonly cwd: string
  readonly env?: { readonly [name: string]: string | undefined }
  /** Everything on stdin, which then ends. Absent: stdin stays open, as a program may leave it. */
  readonly input?: string
}

export interface CommandEnd {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number | null
}

/** Nothing of the machine's own keys, models and colours. */
export function cleanEnvironment(
  more: { readonly [name: string]: string | undefined } = {},
): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  // A port where nobody listens: no test depends on whether Ollama runs here.
  const all = { PATH, HOME, OLLAMA_HOST: '127.0.0.1:9', ...more }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

export async function runCommand({ words, cwd, env, input }: CommandRun): Promise<CommandEnd> {
  const child = spawn(process.execPath, [BIN, ...words], { cwd, env: cleanEnvironment(env) })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.on('error', () => {})
  if (input !== undefined) child.stdin.end(input)
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { stdout, stderr, exitCode }
}

/** Without a process, and without a terminal. */
export async function runCommandHere(run: CommandRun): Promise<CommandEnd> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  stdin.end(run.input ?? '')
  const said = Promise.all([text(stdout), text(stderr)])
  const { cwd, words, env } = run
  const io = { stdin, stdout, stderr, cwd, env: cleanEnvironment(env) }
  const exitCode = await runCommandLine(words, io as unknown as CommandIo)
  stdout.end()
  stderr.end()
  const [out, err] = await said
  return { stdout: out, stderr: err, exitCode }
}
