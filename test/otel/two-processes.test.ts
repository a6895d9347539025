/** A run that is suspended in one process and goes on in another: the second trace links to the first. */
import { execFileSync } from 'node:child_process'
import { afterAll, expect, it } from 'vitest'
import { bundleProgram } from '../processes/bundle-program.ts'

interface Printed {
  readonly status: string
  readonly state?: object
  readonly spans: readonly {
    readonly name: string
    readonly spanId: string
    readonly traceId: string
    readonly links: readonly object[]
  }[]
}

const program = await bundleProgram(new URL('resuming-process.ts', import.meta.url))
afterAll(() => program[Symbol.dispose]())
const run = (...args: readonly string[]): Printed =>
  JSON.parse(
    execFileSync(process.execPath, [program.file, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  ) as Printed

it('the leg in the second process links to the first', () => {
  const first = run()
  expect(first).toMatchObject({ status: 'suspended' })
  const second = run(JSON.stringify(first.state))
  expect(second).toMatchObject({ status: 'done' })
  expect(second.spans.map(({ name }) => name)).toEqual([
    'execute_tool pay',
    'chat scripted',
    'invoke_agent',
  ])
  const { spanId, traceId } = first.spans.find(({ name }) => name === 'invoke_agent')!
  const resumed = second.spans.at(-1)!
  expect(resumed.links).toEqual([{ spanId, traceId, traceFlags: 1, isRemote: true }])
  expect(resumed.traceId).not.toBe(traceId)
})
