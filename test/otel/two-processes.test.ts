/** A run that is suspended in one process and goes on in another: the second trace links to the first. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

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

const root = fileURLToPath(new URL('../..', import.meta.url))
const script = fileURLToPath(new URL('resuming-process.ts', import.meta.url))
const run = (...args: readonly string[]): Printed =>
  JSON.parse(
    execFileSync(process.execPath, ['--import', 'tsx', script, ...args], {
      cwd: root,
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
