/**
 * The loop written by hand, for formats that differ only in how a round is asked and read: no checks beyond
 * the status, no limits, no failure handling; tools serialised once, parallel calls run together.
 */
import { parseMockModel } from '../mock-model.ts'
import { perModel } from './per-model.ts'
import { BASE_URL, postByFetch, type Answer } from './post.ts'
import { serveBatches } from './serve-batches.ts'
import { toolNames, TOOLS, type WeatherInput } from './weather.ts'

export interface RawCall {
  readonly id: string
  readonly name: string
  readonly input: WeatherInput
}

/** What one answer of the model comes to. */
export interface RawRound<Item> {
  /** What goes back for it in the next request. */
  readonly items: readonly Item[]
  readonly calls: readonly RawCall[]
  readonly text: string
}

export interface RawFormat<Item> {
  readonly headers?: { readonly [name: string]: string }
  url(model: string, stream: boolean): string
  tool(name: string): object
  readonly question: Item
  /** @param tools JSON text */
  body(items: readonly Item[], asked: { model: string; stream: boolean; tools: string }): string
  whole(answer: unknown): RawRound<Item>
  streamed(chunks: Answer['chunks']): Promise<RawRound<Item>>
  results(calls: readonly RawCall[], outputs: readonly object[]): readonly Item[]
}

/** Where the server is, without the version path. */
export const ORIGIN = BASE_URL.replace(/\/v1$/, '')

export function serveRawLoop<Item>(format: RawFormat<Item>): void {
  const toolsJson = perModel((model) =>
    JSON.stringify(toolNames(parseMockModel(model).tools).map((name) => format.tool(name))),
  )
  const postTo = perModel((url) => postByFetch(url, format.headers ?? {}))
  serveBatches(async ({ model, stream }) => {
    const post = postTo(format.url(model, stream))
    const tools = toolsJson(model)
    const items: Item[] = [format.question]
    for (;;) {
      const answer = await post(format.body(items, { model, stream, tools }))
      const round = stream
        ? await format.streamed(answer.chunks)
        : format.whole(await answer.json())
      if (round.calls.length === 0) return round.text
      const outputs = await Promise.all(round.calls.map(run))
      items.push(...round.items, ...format.results(round.calls, outputs))
    }
  })
}

async function run({ name, input }: RawCall): Promise<object> {
  const execute = TOOLS.get(name)
  if (execute === undefined) throw new Error(`Unknown tool ${name}`)
  return execute(input)
}
