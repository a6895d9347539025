/** The report of what became of a schema on its way to a provider. */

export interface SchemaChange {
  /** Where the keyword stands in the declared schema, e.g. `$.properties.name`. */
  readonly path: string
  readonly keyword: string
  /**
   * `rewritten`: said in another way, and `raise` turns the answer back. `kept in the description`: the model
   * reads it, but the provider does not hold the model to it. `dropped`: it is not said, so that the model may
   * break it unknowingly, or cannot give every value that the declared schema takes.
   */
  readonly how: 'kept in the description' | 'dropped' | 'rewritten'
}
