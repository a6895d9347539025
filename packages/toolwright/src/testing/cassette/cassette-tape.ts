/** What is on a cassette, for whoever shows it: plain data, with every request whole. */
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import type { AskedExchange, ModelExchange, ToolExchange } from './cassette-file.ts'
import { checkedCassette } from './read-cassette.ts'
import { wholeRequests } from './whole-requests.ts'

export interface CassetteTape {
  readonly provider: string
  readonly model: string
  /** In the order in which they began. */
  readonly exchanges: readonly TapedExchange[]
  readonly calls: readonly TapedCall[]
}

/** One of `response`, `error` and `aborted` is there. */
export interface TapedExchange extends TapedEnding {
  /** In the canonical form: calls are numbered, long data is its digest. */
  readonly messages: readonly JsonObject[]
  readonly tools: readonly ToolDefinition[]
  readonly response?: ChatResponse
}

/** One of `output`, `question`, `error` and `aborted` is there. */
export interface TapedCall extends TapedEnding {
  readonly tool: string
  readonly input: Json
  /** What the model read. */
  readonly output?: ToolExchange['output']
  /** It left with this question. */
  readonly question?: Json
}

export interface TapedEnding {
  readonly error?: { readonly name: string; readonly message: string; readonly code?: string }
  /** It had no end: the run was aborted, or its reader left. */
  readonly aborted?: true
}

/**
 * Reads the text of a cassette. Throws a `CassetteError` that calls it by `name` if it is none, or of another version.
 *
 * @example
 * const { exchanges } = readCassette(await readFile('weather.cassette.json', 'utf8'), 'weather')
 */
export function readCassette(text: string, name: string): CassetteTape {
  const cassette = checkedCassette(text, name)
  const requests = wholeRequests(cassette)
  const { provider, model } = cassette.model
  return {
    provider,
    model,
    exchanges: cassette.exchanges.flatMap((exchange) => {
      if (exchange.kind !== 'model') return []
      const { messages } = requests.get(exchange)!
      const keys = exchange.request.tools ?? []
      const tools = keys.map((key) => cassette.tools[key]!.definition)
      const { response } = exchange
      return [{ messages, tools, ...(response && { response }), ...endingOf(exchange) }]
    }),
    calls: cassette.exchanges.flatMap((exchange) => {
      if (exchange.kind !== 'tool') return []
      const { tool, input, output, question } = exchange
      return [
        {
          tool,
          input,
          ...(output !== undefined && { output }),
          ...(question && { question: question.asks }),
          ...endingOf(exchange),
        },
      ]
    }),
  }
}

const endingOf = ({
  error,
  aborted,
}: ModelExchange | ToolExchange | AskedExchange): TapedEnding => ({
  ...(error && { error }),
  ...(aborted && { aborted }),
})
