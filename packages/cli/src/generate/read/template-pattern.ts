/** The regular expression for the text of a template literal type. */
import ts from 'typescript'

/** Returns undefined if no pattern can express it. */
export function templatePattern(type: ts.Type): string | undefined {
  if (!(type.flags & ts.TypeFlags.TemplateLiteral)) return undefined
  const { texts, types } = type as ts.TemplateLiteralType
  const holes = types.map(holePattern)
  if (holes.includes(undefined)) return undefined
  return `^${texts.map((text, index) => escaped(text) + (holes[index] ?? '')).join('')}$`
}

function holePattern(type: ts.Type): string | undefined {
  const { flags } = type
  if (type.isUnion()) {
    const parts = type.types.map(holePattern)
    return parts.includes(undefined) ? undefined : `(?:${parts.sort().join('|')})`
  }
  if (flags & ts.TypeFlags.Number) return '-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?'
  if (flags & ts.TypeFlags.BigInt) return '-?\\d+'
  if (flags & ts.TypeFlags.String) return '[\\s\\S]*'
  return type.isStringLiteral() || type.isNumberLiteral() ? escaped(String(type.value)) : undefined
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
