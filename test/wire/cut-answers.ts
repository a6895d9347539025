/** Answers of every dialect that end or break before they are complete: whole, or an error, and nothing between. */
import { faultServer, type FaultDialect, type FaultTurn } from '@toolwright/fault-server'
import {
  ProviderError,
  type ChatEvent,
  type ChatModel,
  type ChatResponse,
  type Transport,
} from 'toolwright'
import { expect } from 'vitest'
import { MODELS, type Mode } from './dialects.ts'

export const PROMPT = { messages: [{ role: 'user', content: 'Hi' } as const] }
const CALL_TURN: FaultTurn = {
  text: ['Let me ', 'do grün 🎉. '],
  toolCalls: [{ name: 'effect', arguments: ['{"n":1,', '"s":"größer"}'] }],
}

interface Asked {
  readonly events: readonly ChatEvent[]
  readonly response?: ChatResponse
  readonly thrown?: any
}

export async function ask(model: ChatModel, mode: Mode): Promise<Asked> {
  const events: ChatEvent[] = []
  try {
    if (mode === 'call') return { events, response: await model.call(PROMPT) }
    for await (const event of model.stream(PROMPT)) events.push(event)
    const last = events.at(-1)
    return last?.type === 'response' ? { events, response: last.response } : { events }
  } catch (thrown) {
    return { events, thrown }
  }
}

interface Recorded {
  readonly type: string
  readonly bytes: Uint8Array
}

const modelOver = (dialect: FaultDialect, transport: Transport, baseUrl: string): ChatModel =>
  MODELS[dialect]({ baseUrl, apiKey: 'the-key-of-the-provider-0123', retry: false, transport })

/** The bytes of a sound answer, as the dialect sends them. */
export async function recorded([dialect, mode]: readonly [FaultDialect, Mode]): Promise<Recorded> {
  const fault = await faultServer({ dialect, turns: [CALL_TURN] })
  const original = fault.baseUrl
  let url = ''
  let body = ''
  let headers: Record<string, string> = {}
  const transport: Transport = (request) => {
    ;({ url, body } = request)
    headers = { ...request.headers }
    return Promise.reject(new Error('Only to see what is asked.'))
  }
  await ask(modelOver(dialect, transport, original), mode)
  const response = await fetch(url, { method: 'POST', headers, body })
  const bytes = new Uint8Array(await response.arrayBuffer())
  await fault.close()
  return { type: response.headers.get('content-type')!, bytes }
}

/** A network that gives these bytes and then ends so. */
function carrying({ type, bytes }: Recorded, end: 'ends' | 'breaks'): Transport {
  return ({ provider = 'x' }) => {
    const pieces = async function* () {
      if (bytes.length > 0) yield bytes
      if (end === 'breaks') {
        throw new ProviderError('provider-unreachable', 'Gone.', { provider, retryable: true })
      }
    }
    const header = (name: string): string | undefined =>
      name === 'content-type' ? type : undefined
    return Promise.resolve({ status: 200, header, body: pieces() })
  }
}

/** Cuts the answer off after every so many bytes. */
export async function expectWholeOrError(
  way: readonly [FaultDialect, Mode],
  end: 'ends' | 'breaks',
  step: number,
): Promise<void> {
  const [dialect, mode] = way
  const { type, bytes } = await recorded(way)
  const askOver = (length: number, how: 'ends' | 'breaks'): Promise<Asked> => {
    const transport = carrying({ type, bytes: bytes.slice(0, length) }, how)
    return ask(modelOver(dialect, transport, 'http://127.0.0.1:9/v1'), mode)
  }
  const whole = await askOver(bytes.length, 'ends')
  expect(whole.response).toBeDefined()
  for (let length = 0; length < bytes.length; length += step) {
    const { response, events, thrown } = await askOver(length, end)
    if (response !== undefined) {
      expect({ ...response, usage: 0 }).toEqual({ ...whole.response, usage: 0 })
      continue
    }
    expect(['incomplete-stream', 'invalid-response', 'provider-unreachable']).toContain(thrown.code)
    // A call that is told is complete, and is run by nobody without the rest of the answer.
    for (const event of events.filter(({ type: kind }) => kind === 'tool-call'))
      expect(whole.events).toContainEqual(event)
  }
}
