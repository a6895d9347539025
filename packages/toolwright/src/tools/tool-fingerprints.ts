/** Tells two sets of tools apart, for engines that go on with a run in another process. */
import { ConfigurationError } from '../errors/errors.ts'
import { canonicalJson } from '../internal/canonical-json.ts'
import { sha256 } from '../internal/sha256.ts'
import { remembered } from '../schema/remembered.ts'
import type { ToolCallback } from './tool-callback.ts'
import type { ToolDefinition } from './tool-definition.ts'

/**
 * A fingerprint of each tool, by its name: SHA-256 over the whole definition as JSON with sorted keys. A changed
 * description, schema or example is another fingerprint; what `execute` does is no part of it. It needs no secret, so
 * it proves nothing about who made it.
 *
 * @example
 * const before = await toolFingerprints(await client.offeredTools())
 */
export async function toolFingerprints(
  tools: readonly ToolCallback[],
): Promise<{ readonly [name: string]: string }> {
  const entries = tools.map(async ({ definition }) => [
    definition.name,
    await remembered(known, definition, () => sha256(textOf(definition))),
  ])
  return Object.fromEntries(await Promise.all(entries)) as { readonly [name: string]: string }
}

/** Definitions do not change, and engines ask for every run that they begin. */
const known = new WeakMap<ToolDefinition, Promise<string>>()

function textOf(definition: ToolDefinition): string {
  try {
    return canonicalJson(definition)
  } catch (cause) {
    const message = `The definition of tool "${definition.name}" has no JSON form.`
    throw new ConfigurationError('invalid-tool', message, { cause })
  }
}
