/**
 * JSON Schema, draft 2020-12, as a closed interface: a forgotten `z.object` or any other wrong object does
 * not compile where a schema is expected.
 */
import type { Json } from '../messages/json.ts'

export type JsonSchemaType =
  'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object'

/**
 * A schema inside a schema. `object` also accepts `as const` literals and schema types of other libraries.
 */
export type JsonSchemaNode = JsonSchema | boolean | object

export interface JsonSchema {
  readonly $schema?: string
  readonly $id?: string
  readonly $ref?: string
  readonly $anchor?: string
  readonly $dynamicRef?: string
  readonly $dynamicAnchor?: string
  readonly $vocabulary?: { readonly [uri: string]: boolean }
  readonly $comment?: string
  readonly $defs?: { readonly [name: string]: JsonSchemaNode }
  readonly definitions?: { readonly [name: string]: JsonSchemaNode }

  readonly type?: JsonSchemaType | readonly JsonSchemaType[]
  readonly enum?: readonly Json[]
  readonly const?: Json

  readonly title?: string
  readonly description?: string
  readonly default?: Json
  readonly examples?: readonly Json[]
  readonly deprecated?: boolean
  readonly readOnly?: boolean
  readonly writeOnly?: boolean

  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number

  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly contentEncoding?: string
  readonly contentMediaType?: string
  readonly contentSchema?: JsonSchemaNode

  readonly items?: JsonSchemaNode
  readonly prefixItems?: readonly JsonSchemaNode[]
  readonly contains?: JsonSchemaNode
  readonly minContains?: number
  readonly maxContains?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly unevaluatedItems?: JsonSchemaNode

  readonly properties?: { readonly [name: string]: JsonSchemaNode }
  readonly patternProperties?: { readonly [pattern: string]: JsonSchemaNode }
  readonly additionalProperties?: JsonSchemaNode
  readonly propertyNames?: JsonSchemaNode
  readonly required?: readonly string[]
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly dependentRequired?: { readonly [name: string]: readonly string[] }
  readonly dependentSchemas?: { readonly [name: string]: JsonSchemaNode }
  readonly unevaluatedProperties?: JsonSchemaNode

  readonly allOf?: readonly JsonSchemaNode[]
  readonly anyOf?: readonly JsonSchemaNode[]
  readonly oneOf?: readonly JsonSchemaNode[]
  readonly not?: JsonSchemaNode
  readonly if?: JsonSchemaNode
  readonly then?: JsonSchemaNode
  readonly else?: JsonSchemaNode

  /** Never set. The compiler shows these words for a schema of a library that cannot give its JSON Schema. */
  readonly '~standard'?: 'This schema gives no JSON Schema: import from zod 4.2 or newer, not from zod/mini or zod/v3; wrap one of valibot with toStandardJsonSchema() of @valibot/to-json-schema.'
}

/**
 * A JSON Schema with its TypeScript type, for schemas that inference cannot read or reads too slowly.
 * Nothing checks that the two agree.
 */
export interface TypedJsonSchema<Value> extends JsonSchema {
  /** Never set; only for the compiler. */
  readonly '~type'?: Value
}
