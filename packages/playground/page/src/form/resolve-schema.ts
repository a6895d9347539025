/**
 * A schema with its references followed and its `allOf` merged, one level deep: what is inside is resolved when it is
 * shown, so that schemas that contain themselves can be shown too.
 */
import type { JsonSchema, JsonSchemaNode } from 'toolwright'
import { mergeSchemas } from './merge-schemas.ts'

/** Nothing fits it, so there is no form for it. */
export const NOTHING: JsonSchema = { not: {} }

export function resolveSchema(node: JsonSchemaNode | undefined, root: JsonSchema): JsonSchema {
  return resolve(node, root, [])
}

function resolve(
  node: JsonSchemaNode | undefined,
  root: JsonSchema,
  followed: readonly string[],
): JsonSchema {
  if (node === undefined || node === true) return {}
  if (typeof node !== 'object') return NOTHING
  const { $ref, allOf, ...own } = node as JsonSchema
  const parts: JsonSchema[] = [own]
  if ($ref !== undefined) {
    const target = followed.includes($ref) ? undefined : schemaAt($ref, root)
    if (target === undefined) return NOTHING
    parts.push(resolve(target, root, [...followed, $ref]))
  }
  for (const each of allOf ?? []) parts.push(resolve(each, root, followed))
  return parts.reduce(mergeSchemas)
}

/** What a reference inside of this schema means. Other documents are not loaded. */
function schemaAt(ref: string, root: JsonSchema): JsonSchemaNode | undefined {
  if (ref === '#') return root
  if (ref.startsWith('#/')) {
    return ref
      .slice(2)
      .split('/')
      .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>(
        (at, step) => (at as { readonly [key: string]: unknown } | undefined)?.[step],
        root,
      ) as JsonSchemaNode | undefined
  }
  const definitions = Object.values({ ...root.definitions, ...root.$defs })
  return definitions.find((each) => `#${(each as JsonSchema).$anchor}` === ref)
}
