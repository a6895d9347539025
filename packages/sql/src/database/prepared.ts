/** Queries that are built once and run often, each time with other values. */
import type { Compilable, CompiledQuery } from 'kysely'

/** Stands for a value that is given later. */
export type Given<Values> = <Name extends keyof Values & string>(name: Name) => Values[Name]

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * @example
 * const byHash = prepared<{ hash: string }>()((given) => queries.selectFrom('conversations').where('key_hash', '=', given('hash')))
 * await connection.run(byHash({ hash }))
 */
export const prepared =
  <Values extends object>() =>
  <Row>(
    build: (given: Given<Values>) => Compilable<Row>,
  ): ((values: Values) => CompiledQuery<Row>) => {
    let compiled: CompiledQuery<Row> | undefined
    return (values) => {
      // Compiling costs about as much as SQLite needs to answer.
      compiled ??= build((name) => new Placeholder(name) as never).compile()
      const parameters = compiled.parameters.map((parameter) =>
        parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
      )
      return { ...compiled, parameters }
    }
  }
