/**
 * The Standard Schema interfaces (standardschema.dev, versions 1 of schema and JSON Schema), written out
 * here so that the core has no dependency. zod, arktype and wrapped valibot schemas match by shape.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardSchemaProps<Input, Output>
}

/** A Standard Schema that can give its JSON Schema, which a model has to be told. */
export interface StandardJsonSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardJsonSchemaProps<Input, Output>
}

export interface StandardJsonSchemaProps<
  Input = unknown,
  Output = Input,
> extends StandardSchemaProps<Input, Output> {
  /**
   * Schemas of zod 4.2 and arktype 2.1.28 have it, and valibot's once `toStandardJsonSchema` of
   * `@valibot/to-json-schema` has wrapped them. Those of zod 3 and `zod/mini` do not: import from `zod`.
   */
  readonly jsonSchema: StandardJsonSchemaConverter
}

export interface StandardSchemaProps<Input = unknown, Output = Input> {
  readonly version: 1
  readonly vendor: string
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
  readonly types?: { readonly input: Input; readonly output: Output } | undefined
  /** Present if the library can convert to JSON Schema. */
  readonly jsonSchema?: StandardJsonSchemaConverter
}

export interface StandardJsonSchemaConverter {
  readonly input: (options: { readonly target: string }) => Record<string, unknown>
  readonly output: (options: { readonly target: string }) => Record<string, unknown>
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Whether a value is a Standard Schema. Those of arktype are functions. */
export function isStandardSchema(x: unknown): x is StandardSchema {
  return (typeof x === 'object' || typeof x === 'function') && x !== null && '~standard' in x
}
