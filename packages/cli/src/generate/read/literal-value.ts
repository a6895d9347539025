/** The value of an expression, if it can be determined without running it. */
import ts from 'typescript'
import type { JsonValue } from '../shape/shape.ts'

/** Returns undefined if the expression would have to be run. */
export function literalValue(node: ts.Expression, checker: ts.TypeChecker): JsonValue | undefined {
  if (
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isParenthesizedExpression(node)
  )
    return literalValue(node.expression, checker)
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isNumericLiteral(node)) return Number(node.text)
  if (ts.isPrefixUnaryExpression(node)) return negated(node, checker)
  if (ts.isArrayLiteralExpression(node)) return listValue(node, checker)
  if (ts.isObjectLiteralExpression(node)) return objectValue(node, checker)
  if (ts.isPropertyAccessExpression(node)) return enumValue(node, checker)
  if (ts.isBinaryExpression(node)) return concatenated(node, checker)
  const keywordValues = new Map<ts.SyntaxKind, JsonValue>([
    [ts.SyntaxKind.TrueKeyword, true],
    [ts.SyntaxKind.FalseKeyword, false],
    [ts.SyntaxKind.NullKeyword, null],
  ])
  return keywordValues.get(node.kind)
}

function negated(node: ts.PrefixUnaryExpression, checker: ts.TypeChecker): JsonValue | undefined {
  const value = literalValue(node.operand, checker)
  const isMinus = node.operator === ts.SyntaxKind.MinusToken
  return isMinus && typeof value === 'number' ? -value : undefined
}

/** Strings joined by `+`, as in long descriptions. */
function concatenated(node: ts.BinaryExpression, checker: ts.TypeChecker): JsonValue | undefined {
  const [left, right] = [literalValue(node.left, checker), literalValue(node.right, checker)]
  const isJoin = node.operatorToken.kind === ts.SyntaxKind.PlusToken
  return isJoin && typeof left === 'string' && typeof right === 'string' ? left + right : undefined
}

function listValue(
  node: ts.ArrayLiteralExpression,
  checker: ts.TypeChecker,
): JsonValue | undefined {
  const values: JsonValue[] = []
  for (const element of node.elements) {
    const value = literalValue(element, checker)
    if (value === undefined) return undefined
    values.push(value)
  }
  return values
}

function objectValue(
  node: ts.ObjectLiteralExpression,
  checker: ts.TypeChecker,
): JsonValue | undefined {
  const entries: [string, JsonValue][] = []
  for (const property of node.properties) {
    const isPlain = ts.isPropertyAssignment(property) && !ts.isComputedPropertyName(property.name)
    const value = isPlain ? literalValue(property.initializer, checker) : undefined
    if (!isPlain || value === undefined) return undefined
    entries.push([(property.name as ts.Identifier).text, value])
  }
  return Object.fromEntries(entries)
}

/** A member of an enum. */
function enumValue(node: ts.Expression, checker: ts.TypeChecker): JsonValue | undefined {
  const type = checker.getTypeAtLocation(node)
  const isMember = type.flags & ts.TypeFlags.EnumLiteral
  return isMember && (type.isStringLiteral() || type.isNumberLiteral()) ? type.value : undefined
}
