/**
 * What the models of a provider can do, as data: one row for each family of models. The option
 * `capabilities` overrides a row, for a model that is new or a server that differs.
 */
import type { ModelCapabilities } from '../../model/chat-model.ts'

export interface ModelFamily {
  /** What people call the family, for the table in the docs. */
  readonly name: string
  /** Matches the names of its models. */
  readonly models: RegExp
  /** What differs from the provider's usual model. */
  readonly capabilities: ModelCapabilities
}

/** What a provider says of its models. */
export interface ModelTable {
  /** What a model can do that no row knows: new models can do what their predecessors can. */
  readonly usual: ModelCapabilities
  /** The first row that matches counts. */
  readonly families: readonly ModelFamily[]
  /** What the API has no place for, whatever its models can do and callers say. */
  readonly never?: readonly (keyof ModelCapabilities)[]
}

export function capabilitiesOf(
  { usual, families, never = [] }: ModelTable,
  model: string,
  given: ModelCapabilities = {},
): ModelCapabilities {
  const family = families.find(({ models }) => models.test(model))
  const impossible = Object.fromEntries(never.map((name) => [name, false]))
  return { ...usual, ...family?.capabilities, ...given, ...impossible }
}
