/** The cases of `npm run live` on a server that answers by a script: a sound model passes each, a broken one none. */
import { faultServer, type FaultServer, type FaultStep } from '@toolwright/fault-server'
import { openaiCompatible } from 'toolwright/openai'
import { afterEach, describe, expect, it } from 'vitest'
import { LIVE_CASES } from '../scripts/live/live-cases.ts'
import type { LiveModels } from '../scripts/live/live-providers.ts'

let server: FaultServer
afterEach(() => server?.close())

/** The name that the tool was sent under. */
const toolName = (): string => {
  const [{ function: sent }] = (
    server.requests[0]!.body as { tools: [{ function: { name: string } }] }
  ).tools
  return sent.name
}
const sum = (step: number): FaultStep =>
  step === 1
    ? { toolCalls: [{ name: toolName(), arguments: ['{"a":1217,', '"b":4325}'] }] }
    : { text: ['5542'] }

const SOUND: { readonly [name: string]: (step: number) => FaultStep } = {
  'answers a call, with usage': () => ({ text: ['Hello.'] }),
  'streams the same message that it ends with': () => ({ text: ['Hel', 'lo.'] }),
  'calls a tool and takes its result (call)': sum,
  'calls a tool and takes its result (stream)': sum,
  'calls a tool under a name that the provider would refuse': sum,
  'holds an answer to a schema': () => ({ text: ['{"city":"Paris"}'] }),
  'says when an answer was cut at maxTokens': () => ({ text: ['one, two'], finish: 'length' }),
  'reports a key that is wrong': () => ({ status: 401 }),
  'reports a model that does not exist': () => ({ status: 404 }),
  'ends with the reason of the signal in the middle of a stream': () => ({
    text: ['one'],
    ending: 'stall',
  }),
}
const BROKEN: { readonly [name: string]: FaultStep } = {
  'answers a call, with usage': { text: [] },
  'streams the same message that it ends with': { text: ['Hel'], ending: 'eof' },
  'says when an answer was cut at maxTokens': { text: ['one, two'] },
  'ends with the reason of the signal in the middle of a stream': { status: 500 },
}

async function modelsOf(turns: (step: number) => FaultStep): Promise<LiveModels> {
  server = await faultServer({ dialect: 'openai-compatible', turns })
  const { baseUrl } = server
  return {
    command: [],
    takesKey: true,
    make: (wrong) =>
      openaiCompatible(wrong?.model ?? 'some-model', {
        baseUrl,
        apiKey: wrong?.apiKey ?? 'key',
        retry: false,
        capabilities: { structuredOutput: true },
      }),
  }
}

it('are all played here', () => {
  expect(LIVE_CASES.map(({ name }) => name)).toEqual(Object.keys(SOUND))
})

describe.each(LIVE_CASES.map((live) => [live.name, live] as const))('%s', (name, live) => {
  it('passes with a sound model', async () => {
    await live.run(await modelsOf(SOUND[name]!))
  })

  it('fails with a broken one', async () => {
    const broken = BROKEN[name] ?? { text: ['I do not know.'] }
    await expect(live.run(await modelsOf(() => broken))).rejects.toThrow()
  })
})
