/** Checks the numbers of a tool's gates: a wrong one would let it wait, retry or remember for ever. */
import { ConfigurationError } from '../errors/errors.ts'
import { checkNumber } from '../internal/check-options.ts'
import type { ToolMetadata } from './tool-metadata.ts'

type Gates = Pick<ToolMetadata, 'retry' | 'rateLimit' | 'cache' | 'timeoutMs' | 'composite'>

const WHOLE = { least: 1, isWhole: true }
const NUMBERS = {
  retry: { attempts: WHOLE, delayMs: { least: 0, isOptional: true } },
  rateLimit: { calls: WHOLE, perMs: { least: 1 } },
  cache: { ttlMs: { least: 1 } },
}

export function checkGates(where: string, gates: Gates): void {
  const { composite, retry, cache, timeoutMs = 'unlimited' } = gates
  if (composite && (retry || cache || timeoutMs !== 'unlimited'))
    throw new ConfigurationError(
      'invalid-tool',
      `${where} is composite: retry, cache and timeoutMs belong to the tools that it calls.`,
    )
  for (const [gate, rules] of Object.entries(NUMBERS)) {
    const given = gates[gate as keyof typeof NUMBERS] as { readonly [name: string]: unknown }
    if (!given) continue
    for (const [name, rule] of Object.entries(rules))
      checkNumber(`${where}.${gate}.${name}`, given[name], rule)
  }
}
