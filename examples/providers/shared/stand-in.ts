/**
 * The provider, or who stands in for it: a server on loopback that speaks its language and answers by a script.
 * Nothing in an example changes when a key is set, except who answers.
 */
import { faultServer, type FaultDialect } from '@toolwright/fault-server'

export interface StandIn {
  /** Spread into the options of the model: an address and a key, or nothing for the real thing. */
  readonly options: { readonly baseUrl?: string; readonly apiKey?: string }
  close(): Promise<void>
}

/** @param set what is set when the real provider is to be asked, e.g. the value of `OPENAI_API_KEY` */
export async function providerOrStandIn(
  dialect: FaultDialect,
  set: string | undefined,
): Promise<StandIn> {
  if (set) return { options: {}, close: async () => {} }
  const server = await faultServer({
    dialect,
    turns: [
      { toolCalls: [{ name: 'currentWeather', arguments: ['{"city":', '"Paris"}'] }] },
      { text: ['It is 21 °C ', 'in Paris.'] },
    ],
  })
  return {
    options: { baseUrl: server.baseUrl, apiKey: 'stand-in' },
    close: () => server.close(),
  }
}
