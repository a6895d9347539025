/** A run that is suspended in one process and goes on in another: the second trace links to the first. */
import { execFileSync } from 'node:child_process'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { afterAll, expect, it } from 'vitest'
import { bundleProgram } from '../processes/bundle-program.ts'

interface Printed {
  readonly status: string
  readonly state?: object
  readonly spans: readonly object[]
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

const id = (number: string, length = 16): string => number.padStart(length, '0')
/** A span that went well, by the numbers of itself and of its trace. */
const span = (name: string, kind: SpanKind, [own, traceId]: readonly [string, string]) => ({
  name,
  kind,
  events: [],
  status: { code: SpanStatusCode.UNSET },
  ids: { spanId: id(own), traceId: id(traceId, 32), traceFlags: 1 },
  links: [],
})
const OF_RUN = { 'toolwright.run.id': 'run_1' }

for (const mode of ['call', 'stream'] as const)
  it(`both legs, whole; the one in the second process links to the first: ${mode}`, () => {
    const chat = (round: number, reason: string) => ({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'scripted',
      'gen_ai.response.model': 'scripted',
      'gen_ai.response.finish_reasons': [reason],
      ...OF_RUN,
      'toolwright.round': round,
      ...(mode === 'stream' && {
        'gen_ai.request.stream': true,
        'gen_ai.response.time_to_first_chunk': 0,
      }),
    })
    const leg = (reason: string) => ({
      'gen_ai.operation.name': 'invoke_agent',
      ...OF_RUN,
      'toolwright.finish_reason': reason,
      'toolwright.rounds': 1,
    })
    const first = run(mode)
    expect(first.status).toBe('suspended')
    expect(first.spans).toEqual([
      {
        ...span('chat scripted', SpanKind.CLIENT, ['13', '12']),
        parent: id('11'),
        attributes: chat(1, 'tool_call'),
      },
      {
        ...span('invoke_agent', SpanKind.INTERNAL, ['11', '12']),
        attributes: leg('suspended'),
        events: [
          { name: 'toolwright.suspended', attributes: { 'toolwright.pending.tools': ['pay'] } },
        ],
      },
    ])
    const second = run(mode, JSON.stringify(first.state))
    expect(second.status).toBe('done')
    expect(second.spans).toEqual([
      {
        ...span('execute_tool pay', SpanKind.INTERNAL, ['23', '22']),
        parent: id('21'),
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': 'pay',
          'gen_ai.tool.type': 'function',
          'gen_ai.tool.description': 'pay',
          'gen_ai.tool.call.id': 'call_1',
          ...OF_RUN,
        },
      },
      {
        ...span('chat scripted', SpanKind.CLIENT, ['24', '22']),
        parent: id('21'),
        attributes: chat(2, 'stop'),
      },
      {
        ...span('invoke_agent', SpanKind.INTERNAL, ['21', '22']),
        attributes: { ...leg('stop'), 'toolwright.resumed': true },
        links: [{ spanId: id('11'), traceId: id('12', 32), traceFlags: 1, isRemote: true }],
      },
    ])
  })
