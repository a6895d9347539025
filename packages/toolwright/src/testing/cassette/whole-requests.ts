/** The requests of a cassette, each whole: in the file one does not repeat what it shares with the one before. */
import type { JsonObject } from '../../messages/json.ts'
import type { CanonicalRequest, CassetteExchange, CassetteFile } from './cassette-file.ts'

export function wholeRequests(
  cassette: CassetteFile,
): ReadonlyMap<CassetteExchange, CanonicalRequest> {
  const requests = new Map<CassetteExchange, CanonicalRequest>()
  let before: readonly JsonObject[] = []
  for (const exchange of cassette.exchanges) {
    if (exchange.kind !== 'model') continue
    const { options, tools = [], repeats = 0, messages } = exchange.request
    const definitions = tools.map((key) => cassette.tools[key]!.definition)
    before = [...before.slice(0, repeats), ...messages]
    requests.set(exchange, {
      ...(options && { options }),
      ...(tools.length > 0 && {
        tools: Object.fromEntries(
          definitions.map((each) => [each.name, each as unknown as JsonObject]),
        ),
      }),
      messages: before,
    })
  }
  return requests
}
