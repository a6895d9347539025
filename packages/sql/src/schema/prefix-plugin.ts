/** Puts a prefix in front of the names of the tables. */
import { OperationNodeTransformer, SchemableIdentifierNode, type KyselyPlugin } from 'kysely'
import type { Tables } from './tables.ts'

const NAMES: ReadonlySet<string> = new Set<keyof Tables>([
  'schema',
  'conversations',
  'messages',
  'used_states',
  'waiting_runs',
])

export function prefixPlugin(prefix: string): KyselyPlugin {
  const transformer = new PrefixTransformer(prefix)
  return {
    transformQuery: ({ node }) => transformer.transformNode(node),
    transformResult: async ({ result }) => result,
  }
}

class PrefixTransformer extends OperationNodeTransformer {
  readonly #prefix: string

  constructor(prefix: string) {
    super()
    this.#prefix = prefix
  }

  protected override transformSchemableIdentifier(
    node: SchemableIdentifierNode,
  ): SchemableIdentifierNode {
    const { name } = node.identifier
    // A query inside another passes here twice.
    return NAMES.has(name) ? SchemableIdentifierNode.create(this.#prefix + name) : node
  }
}
