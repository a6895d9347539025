/** `await request.call()` sent nothing, and nobody was told. */
import { spawnSync } from 'node:child_process'
import { afterAll, describe, expect, it } from 'vitest'
import { bundleProgram } from '../processes/bundle-program.ts'

const program = await bundleProgram(new URL('unread-run-process.ts', import.meta.url))
afterAll(() => program[Symbol.dispose]())

interface Outcome {
  readonly status: number | null
  /** Lines. */
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
}

/** One process that does all of these. */
function run(
  names: readonly string[],
  environment: { readonly [name: string]: string } = {},
): Outcome {
  const { NODE_ENV: _own, TOOLWRIGHT_LOG: _log, VITEST: _vitest, ...others } = process.env
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', program.file, ...names],
    { encoding: 'utf8', env: { ...others, ...environment } },
  )
  const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')
  return { status, stdout: lines(stdout), stderr: lines(stderr) }
}

const CALL =
  /^toolwright: A run made by \.call\(\) was never read.*\.content\(\).*\.result\(\).*\.events\(\)/
const STREAM = /^toolwright: A run made by \.stream\(\) was never read.*\.toReadableStream\(\)/

describe('a run that is never read', { timeout: 120_000 }, () => {
  it('says so on stderr, and to the logger, when the process ends', () => {
    const { status, stdout, stderr } = run([
      'awaited',
      'streamed',
      'forgotten',
      'iterator never asked',
      'logger throws',
    ])
    const lines = [CALL, STREAM, CALL, STREAM, CALL]
    expect(stderr).toEqual(lines.map((line) => expect.stringMatching(line)))
    expect(stdout).toEqual([
      expect.stringMatching(/^logged run-unread: A run made by \.call\(\)/),
      expect.stringMatching(/^logged run-unread: A run made by \.stream\(\)/),
    ])
    expect(status).toBe(0)
  })

  it('says so when the program ends the process', () => {
    expect(run(['exits']).stderr).toEqual([expect.stringMatching(CALL)])
  })

  it('in production tells the logger only', () => {
    const { stdout, stderr } = run(['awaited', 'forgotten'], { NODE_ENV: 'production' })
    expect(stderr).toEqual([])
    expect(stdout).toHaveLength(1)
  })

  it('in production tells the log that TOOLWRIGHT_LOG asks for', () => {
    const { stderr } = run(['forgotten'], { NODE_ENV: 'production', TOOLWRIGHT_LOG: 'warn' })
    expect(stderr).toEqual([expect.stringMatching(CALL)])
  })

  it('of many, says so ten times', () => {
    expect(run(['many']).stderr).toHaveLength(10)
  })

  it('says so in a process that goes on, once nobody can read it any more', () => {
    const { stdout, stderr } = run(['collected'])
    expect(stdout).toEqual([expect.stringMatching(/^logged run-unread/), 'still running'])
    expect(stderr).toHaveLength(1)
  })
})

it('a run that is read, however late, is nothing to talk about', { timeout: 120_000 }, () => {
  const cases = ['read', 'read late', 'returned by an async function', 'aborted before it was read']
  expect(run(cases)).toEqual({ status: 0, stdout: ['true undefined', 'rejected'], stderr: [] })
})
