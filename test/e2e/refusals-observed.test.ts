/** Why a call was not run, as an observer and a logger are told it. */
import { describe, expect } from 'vitest'
import { tool, type ChatClientOptions, type Observer, type ToolOutcome } from 'toolwright'
import type { ScriptedStep } from 'toolwright/testing'
import { scenario, type Scenario } from './scenario.ts'

const pay = tool({
  name: 'pay',
  input: { type: 'object', properties: { euros: { type: 'number' } }, required: ['euros'] },
  execute: ({ euros }) => `paid ${String(euros)}`,
})
const asking = (name: string, input: object = { euros: 1 }): ScriptedStep => ({
  toolCalls: [{ name, arguments: input as never }],
})

interface Refusal extends Partial<Scenario> {
  readonly code: string
  readonly script: readonly ScriptedStep[]
  readonly options?: ChatClientOptions
}

const REFUSALS: readonly Refusal[] = [
  { code: 'unknown-tool', script: [asking('steal'), 'No.'] },
  { code: 'tool-input', script: [asking('pay', { euros: 'much' }), 'No.'] },
  {
    code: 'run-limit',
    script: [asking('pay'), asking('pay')],
    options: { limits: { callsTotal: 1 } },
  },
  { code: 'denied', script: [asking('pay'), 'No.'], options: { policy: () => 'deny' } },
  {
    code: 'denied',
    script: [asking('pay'), 'No.'],
    options: { policy: () => 'ask' },
    resume: [() => ({ call_1: { deny: 'too much' } })],
  },
  {
    code: 'answer-cut',
    script: [{ ...(asking('pay') as object), finishReason: 'length' }, 'No.'],
  },
  {
    code: 'tools-off',
    script: [asking('pay'), 'No.'],
    request: (client) => client.prompt('Go').options({ toolChoice: 'none' }),
  },
]

describe('a call that is not run says why', () => {
  for (const { code, options, ...spec } of REFUSALS) {
    const told: ToolOutcome[] = []
    const lines: object[] = []
    const observer: Observer = {
      start: () => ({ end: (outcome) => void (outcome.kind === 'tool' && told.push(outcome)) }),
    }
    const silent = (): void => {}
    const warn = (message: string, data?: object): void => void lines.push({ message, ...data })
    const logger = { debug: silent, info: silent, warn, error: silent }
    scenario(`${code}${spec.resume ? ' by decision' : ''}`, {
      ...spec,
      client: () => ({ ...options, observer, logger }),
      tools: () => [pay],
      check() {
        expect(told.splice(0).at(-1)).toEqual({
          kind: 'tool',
          durationMs: 0,
          failed: true,
          refused: true,
          refusal: code,
        })
        expect(lines.splice(0)).toMatchObject([{ refused: true, refusal: code }])
      },
    })
  }
})
