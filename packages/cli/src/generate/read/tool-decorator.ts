/** Reads `@Tool({ ... })`: what can be determined without running it is copied into the generated file. */
import ts from 'typescript'
import { literalValue } from './literal-value.ts'
import type { Problems } from './problems.ts'
import type { JsonValue } from '../shape/shape.ts'
import { isFromToolwright } from './toolwright-symbol.ts'

export interface ReadDecorator {
  readonly node: ts.Decorator
  /** The method has its own input schema, so the library calls it and no tool is generated. */
  readonly hasInput: boolean
  readonly options: { readonly [option: string]: JsonValue }
}

/** The decorator of a method, or undefined. */
export function decoratorOf(
  node: ts.Node,
  checker: ts.TypeChecker,
  problems: Problems,
): ReadDecorator | undefined {
  const decorators = ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : []
  for (const decorator of decorators) {
    const call = decorator.expression
    if (!ts.isCallExpression(call) || !isTool(call.expression, checker)) continue
    const [given] = call.arguments
    return { node: decorator, ...readOptions(given, { decorator, checker, problems }) }
  }
  return undefined
}

function isTool(callee: ts.Expression, checker: ts.TypeChecker): boolean {
  const symbol = checker.getSymbolAtLocation(callee)
  return symbol !== undefined && isFromToolwright(symbol, 'Tool', checker)
}

interface Reading {
  readonly decorator: ts.Decorator
  readonly checker: ts.TypeChecker
  readonly problems: Problems
}

function readOptions(
  given: ts.Expression | undefined,
  { decorator, checker, problems }: Reading,
): Omit<ReadDecorator, 'node'> {
  if (!given) return { hasInput: false, options: {} }
  if (!ts.isObjectLiteralExpression(given)) {
    problems.add(decorator, {
      message: 'The options of @Tool cannot be read without running them.',
      fix: 'Write them as an object literal.',
    })
    return { hasInput: false, options: {} }
  }
  const names = given.properties.map((property) => property.name?.getText() ?? '')
  if (names.includes('input')) return { hasInput: true, options: {} }
  const options: { [option: string]: JsonValue } = {}
  for (const property of given.properties) {
    const name = property.name?.getText() ?? property.getText()
    const value = ts.isPropertyAssignment(property)
      ? literalValue(property.initializer, checker)
      : undefined
    if (value !== undefined) options[name] = value
    else
      problems.add(property, {
        message: `The option ${name} of @Tool cannot be read without running it.`,
        fix: 'Write it as a literal, or give the method an input schema and use the class itself.',
      })
  }
  return { hasInput: false, options }
}
