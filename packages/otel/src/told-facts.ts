/** Of what tools and servers say about their calls, what leaves: by these names only, since facts may be anybody's. */
import type { Attributes } from '@opentelemetry/api'
import type { ObservedFacts } from 'toolwright'
import { ATTRIBUTE } from './names.ts'
import { short } from './open-span.ts'

/** What a metric has too: nothing of which there are many. */
const MEASURED: readonly string[] = [
  ATTRIBUTE.mcpMethod,
  ATTRIBUTE.mcpVersion,
  ATTRIBUTE.rpcStatus,
  ATTRIBUTE.transport,
  ATTRIBUTE.address,
  ATTRIBUTE.port,
]
const RECORDED: readonly string[] = [...MEASURED, ATTRIBUTE.mcpSession, ATTRIBUTE.rpcRequest]

export const recordedFacts = (facts: ObservedFacts): Attributes => chosen(facts, RECORDED)

export const measuredFacts = (facts: ObservedFacts): Attributes => chosen(facts, MEASURED)

/** Which tool or prompt a request is for. Only of a request: a tool is called what it was offered as. */
export const targetFacts = (facts: ObservedFacts): Attributes =>
  chosen(facts, [ATTRIBUTE.tool, ATTRIBUTE.prompt])

export const isOfMcp = (facts: ObservedFacts | undefined): facts is ObservedFacts =>
  typeof facts?.[ATTRIBUTE.mcpMethod] === 'string'

function chosen(facts: ObservedFacts, names: readonly string[]): Attributes {
  const attributes: Attributes = {}
  for (const name of names) {
    const value: unknown = facts[name]
    if (typeof value === 'string') attributes[name] = short(value)
    else if (typeof value === 'number') attributes[name] = value
  }
  return attributes
}
