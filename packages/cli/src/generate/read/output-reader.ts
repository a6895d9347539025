/**
 * Reads the result of a tool as a shape, without promises and generators around it. If its JSON form is
 * unknown, the tool has no output schema, and its result is converted as usual.
 */
import ts from 'typescript'
import { Problems } from './problems.ts'
import type { Problem } from '../generation.ts'
import type { Shape } from '../shape/shape.ts'
import type { ReaderOptions } from './reading.ts'
import { ShapeReader } from './shape-reader.ts'
import type { ToolModel } from '../shape/tool-model.ts'
import { isFromToolwright } from './toolwright-symbol.ts'
import { withoutUndefined } from './union-reader.ts'

const GENERATORS = ['Generator', 'AsyncGenerator']
/** Types that the model gets as parts, not as JSON. */
const PARTS = ['TextPart', 'MediaPart', 'UserPart', 'ToolOutput']

export function readOutput(
  signature: ts.Signature,
  node: ts.Node,
  options: ReaderOptions,
): Pick<ToolModel, 'output' | 'orNull'> {
  const none = { output: undefined, orNull: 'no' } as const
  const checker = options.program.getTypeChecker()
  const returned = checker.getReturnTypeOfSignature(signature)
  const isGenerator = GENERATORS.includes(returned.symbol?.name ?? '')
  const resultType = isGenerator
    ? checker.getTypeArguments(returned as ts.TypeReference)[1]
    : returned
  const type = resultType && checker.getAwaitedType(resultType)
  if (!type || type.flags & ts.TypeFlags.Void || isPart(type, checker)) return none
  const problems = new Problems()
  const reader = new ShapeReader({ ...options, problems, mode: 'output', allowAny: true })
  const { shape, had } = withoutUndefined(reader.read(type, { node, path: 'result' }))
  for (const warning of problems.warnings) options.problems.addWarning(warning)
  for (const problem of problems.all) options.problems.addWarning(withoutSchema(problem))
  if (problems.all.length > 0 || isUnknown(shape) || (had && isGenerator)) return none
  const orNull = had ? (type === returned ? 'sync' : 'async') : 'no'
  return { output: had ? orNullOf(shape) : shape, orNull }
}

/** A result that cannot be described is sent all the same; only its schema is missing. */
const withoutSchema = (problem: Problem): Problem => ({
  ...problem,
  message: `The tool has no output schema: ${problem.message}`,
})

const isUnknown = ({ kind }: Shape): boolean =>
  ['unknown', 'json', 'undefined', 'bytes', 'buffer'].includes(kind)

function orNullOf(shape: Shape): Shape {
  const members = shape.kind === 'union' ? shape.members : [shape]
  const hasNull = members.some(({ kind }) => kind === 'null')
  return hasNull ? shape : { kind: 'union', members: [...members, { kind: 'null' }] }
}

function isPart(type: ts.Type, checker: ts.TypeChecker): boolean {
  const item = checker.isArrayType(type)
    ? checker.getTypeArguments(type as ts.TypeReference)[0]!
    : type
  const members = item.isUnion() ? item.types : [item]
  return members.some(({ symbol, aliasSymbol }) =>
    [symbol, aliasSymbol].some(
      (one) => one && PARTS.some((name) => isFromToolwright(one, name, checker)),
    ),
  )
}
