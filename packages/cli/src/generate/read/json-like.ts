/**
 * Recognises types that mean any JSON value: strings, numbers, booleans, null, and lists and objects of the
 * same.
 */
import ts from 'typescript'

const { TypeFlags } = ts
const PLAIN = [TypeFlags.String, TypeFlags.Number, TypeFlags.BooleanLike, TypeFlags.Null]

export function isJsonType(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (!type.isUnion()) return false
  const hasPlain = PLAIN.every((flag) => type.types.some(({ flags }) => flags & flag))
  if (!hasPlain) return false
  const isSelf = (inner: ts.Type | undefined): boolean =>
    inner !== undefined && checker.isTypeAssignableTo(type, inner)
  const others = type.types.filter(({ flags }) => flags & TypeFlags.Object)
  const isList = (one: ts.Type): boolean =>
    checker.isArrayType(one) && isSelf(checker.getTypeArguments(one as ts.TypeReference)[0])
  const isRecord = (one: ts.Type): boolean =>
    isSelf(checker.getIndexTypeOfType(one, ts.IndexKind.String))
  return (
    others.some(isList) &&
    others.some(isRecord) &&
    others.every((one) => isList(one) || isRecord(one))
  )
}
