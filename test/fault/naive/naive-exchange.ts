/** What the loops by hand have in common: one POST, events split at line feeds, a tool that is run. */
import type { EffectTools } from '../effect-tools.ts'
import type { Question } from '../run-scenario.ts'

export interface NaiveCall {
  id: string
  name: string
  args: string
}
export interface NaiveTurn {
  text: string
  calls: NaiveCall[]
  /** What goes into the history. */
  message: unknown
}
// Written by hand, such loops trust the wire.
export type Wire = any

export const ask = (question: Question, path: string, body: object): Promise<Response> =>
  post(question, path, { model: 'naive', stream: question.mode === 'stream', ...body })

export async function post(question: Question, path: string, body: object): Promise<Response> {
  const response = await fetch(`${question.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'x-goog-api-key': 'naive',
    },
    body: JSON.stringify(body),
    signal: question.signal,
  })
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`)
  return response
}

export async function* events(response: Response): AsyncGenerator<Wire> {
  const decoder = new TextDecoder()
  let buffer = ''
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    buffer += decoder.decode(chunk, { stream: true })
    const lines = buffer.split('\n')
    buffer = lines.pop()!
    for (const line of lines) {
      if (line.startsWith('{')) yield JSON.parse(line)
      if (!line.startsWith('data: ')) continue
      const data = line.slice(6).trim()
      if (data === '[DONE]') continue
      yield JSON.parse(data)
    }
  }
}

export async function runTool(tools: EffectTools, call: NaiveCall): Promise<string> {
  try {
    const input = JSON.parse(call.args || '{}')
    if (call.name !== 'effect' && call.name !== 'ping') return `Unknown tool ${call.name}`
    const result = await tools[call.name](input)
    return typeof result === 'string' ? result : JSON.stringify(result)
  } catch (error) {
    return `Error: ${(error as Error).message}`
  }
}
