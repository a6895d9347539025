/**
 * The scenarios of the fault server through the bridge, over a real package of each version. What fails below the
 * bridge, where the package reads the wire, is listed; everything else must be as sound as with our own adapters.
 */
import { FAULT_ROUNDS, FAULT_SCENARIOS } from '@toolwright/fault-server'
import { fromAiSdk } from '@toolwright/ai-sdk'
import { createOpenAICompatible as createV2 } from 'ai-sdk-compatible-v2'
import { createOpenAICompatible as createV3 } from 'ai-sdk-compatible-v3'
import { createOpenAICompatible as createV4 } from 'ai-sdk-compatible-v4'
import { ChatClient, textOf, tool } from 'toolwright'
import { describe, expect, it } from 'vitest'
import { API_KEY, MODES, runScenario, type Contender } from '../../../test/fault/run-scenario.ts'
import { verdictOn } from '../../../test/fault/verdict.ts'

const CREATE = { v2: createV2, v3: createV3, v4: createV4 }

/**
 * The transport is the package's own: its `fetch` follows redirects and limits neither silence nor the size of what
 * comes, and the package reads a page or an error that is sent for a stream as a stream without records.
 */
const TRANSPORT: readonly string[] = [
  ...['silence', 'redirect', 'endless-headers', 'endless-events', 'packed-bomb'].flatMap((name) =>
    MODES.map((mode) => `${mode} ${name}`),
  ),
  'stream page-for-answer',
  'stream error-body-for-stream',
  'stream reset-after-end',
]

/** Nothing limits the size of an answer; calls under one index are joined, and content after the end still counts. */
const BELOW_THE_BRIDGE: { readonly [version: string]: readonly string[] } = {
  v2: ['call endless-line', 'stream all-index-zero', 'stream late-events', 'stream endless-line'],
  v3: ['call endless-line', 'stream all-index-zero', 'stream late-events', 'stream endless-line'],
  v4: ['call endless-line', 'stream late-events', 'stream endless-line'],
}

const loopOver =
  (create: typeof createV2 | typeof createV3 | typeof createV4): Contender =>
  async ({ baseUrl, tools, signal, mode }) => {
    const provider = create({ name: 'fault', baseURL: baseUrl, apiKey: API_KEY })
    const client = ChatClient.create(fromAiSdk(provider('any')), {
      limits: { rounds: FAULT_ROUNDS },
    })
    const properties = { n: { type: 'number' }, s: { type: 'string' } } as const
    const input = {
      type: 'object',
      properties,
      required: ['n'],
      additionalProperties: false,
    } as const
    const effect = tool({
      name: 'effect',
      description: 'Has an effect',
      input,
      execute: (given) => tools.effect(given),
    })
    const ping = tool({
      name: 'ping',
      description: 'Answers pong',
      execute: (given) => tools.ping(given),
    })
    const request = client.prompt('go').tools(effect, ping).signal(signal)
    if (mode === 'call') return request.call().content()
    const run = request.stream()
    let live = ''
    for await (const piece of run.content()) live += piece
    const answer = textOf(await run.chatResponse())
    return live.endsWith(answer) ? answer : `shown ${live}, reported ${answer}`
  }

for (const [version, create] of Object.entries(CREATE))
  describe(version, () => {
    const contender = loopOver(create)
    for (const mode of MODES)
      for (const scenario of FAULT_SCENARIOS) {
        const below = [...TRANSPORT, ...BELOW_THE_BRIDGE[version]!]
        if (below.includes(`${mode} ${scenario.name}`)) continue
        it(`${mode} ${scenario.name}`, async () => {
          const cell = { scenario, dialect: 'openai-compatible', mode, deadlineMs: 10_000 } as const
          const { hard, soft } = verdictOn(cell, await runScenario(cell, contender))
          expect([...hard, ...soft]).toEqual([])
        })
      }
  })
