/**
 * Checks whether a method can be called as a tool with its schemas. Types only; a mismatch is explained in
 * the type.
 */
import type { ResultOf } from './tool.ts'
import type { ToolContext } from './tool-context.ts'

/** `unknown` if the method fits; otherwise a type that nothing is assignable to and that says why. */
export type MethodFits<Method, Input, Result, Values extends object> = Method extends (
  input: infer Taken,
  context: infer Needed,
) => infer Returned
  ? [Input] extends [Taken]
    ? [ToolContext<Values>] extends [Needed]
      ? ResultFits<Returned, Result>
      : { readonly 'The method must accept the context its schema gives:': ToolContext<Values> }
    : { readonly 'The method must accept what its input schema gives:': Input }
  : 'A tool method takes (input, context)'

/**
 * Without an input schema `Input` is `never`, and any parameters are allowed: `toolwright generate` derives
 * the schema from the signature.
 */
export type DecoratedMethodFits<Method, Input, Result, Values extends object> = [Input] extends [
  never,
]
  ? Method extends (...parameters: never) => infer Returned
    ? ResultFits<Returned, Result>
    : 'A tool method takes (input, context)'
  : MethodFits<Method, Input, Result, Values>

/** `unknown` if the method returns what the output schema takes; `Declared` is that, or unknown. */
export type OutputFits<Method, Declared> = unknown extends Declared
  ? unknown
  : Method extends (...parameters: never) => infer Returned
    ? [ResultOf<Returned>] extends [Declared]
      ? unknown
      : { readonly 'The method must return what its output schema takes:': Declared }
    : unknown

type ResultFits<Returned, Result> = [Returned] extends [never]
  ? unknown
  : Returned extends (...parameters: never) => unknown
    ? 'A tool method returns its result, not a function'
    : unknown extends Result
      ? unknown
      : [ResultOf<Returned>] extends [Result]
        ? unknown
        : {
            readonly 'resultConverter and undo must accept what the method returns:': ResultOf<Returned>
          }
