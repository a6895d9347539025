/** How long a provider asks us to wait, in ms. Absent when it does not say, or says nothing sensible. */
import type { TransportResponse } from '../../ports/transport.ts'

export function retryAfterMs(response: TransportResponse, now: number): number | undefined {
  const precise = seconds(response.header('retry-after-ms'))
  if (precise !== undefined) return precise
  const said = response.header('retry-after')
  const inSeconds = seconds(said)
  if (inSeconds !== undefined) return inSeconds * 1000
  // A date always has letters; Date.parse alone would take "-5" for a year.
  const date = said !== undefined && /[a-z]/i.test(said) ? Date.parse(said) : Number.NaN
  return Number.isNaN(date) || date < now ? undefined : date - now
}

function seconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}
