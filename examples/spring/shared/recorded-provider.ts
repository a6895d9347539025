/** A provider without a network: answers Chat Completions with `OK.` and keeps what it was sent. */
import type { Transport } from 'toolwright'

export interface SentBody {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

export interface RecordedProvider {
  /** For `openaiCompatible(model, { baseUrl, transport })`. */
  readonly transport: Transport
  /** The bodies of all requests, as they went over the wire. */
  readonly sent: readonly SentBody[]
  /** The names of the tools in each of them. */
  readonly tools: () => readonly (readonly string[])[]
}

const ANSWER = {
  choices: [{ message: { role: 'assistant', content: 'OK.' }, finish_reason: 'stop' }],
}

export function recordedProvider(): RecordedProvider {
  const sent: SentBody[] = []
  return {
    sent,
    tools: () => sent.map(({ tools = [] }) => tools.map((each) => each.function.name)),
    async transport({ body }) {
      sent.push(JSON.parse(body) as SentBody)
      return {
        status: 200,
        header: (name) => (name === 'content-type' ? 'application/json' : undefined),
        body: new Blob([JSON.stringify(ANSWER)]).stream(),
      }
    },
  }
}
