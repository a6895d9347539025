/**
 * The codes that the sources use: those of notices wherever one is made, and every text that stands in the
 * code, among which those of errors are looked for. A notice is made by `notice('code', …)`, by a
 * function with a name like `emitNotice`, or written out as `{ type: 'notice', code: 'code', … }` or in
 * `watched.event({ code: 'code', … })`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export interface EmittedCode {
  /** `undefined` where the code is put together at run time, which no catalogue can hold. */
  readonly code: string | undefined
  /** `file:line`, for whoever must mend it. */
  readonly place: string
}

export interface Source {
  /** Relative to the root. */
  readonly file: string
  readonly text: string
}

/** The published sources: those of packages, without tests. */
export function publishedSources(root: string): Source[] {
  return readdirSync(join(root, 'packages')).flatMap((name) => {
    const folder = `packages/${name}/src`
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    return files
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  })
}

/** Every notice that one of the sources makes. A code that is only handed on is its maker's. */
export function emittedNotices(sources: readonly Source[]): EmittedCode[] {
  return sources.flatMap((source) => {
    if (!/notice|event\(/i.test(source.text)) return []
    return nodesOf(source).flatMap(({ node, place }) =>
      codeExpressions(node)
        .flatMap(codesIn)
        .map((code) => ({ code, place })),
    )
  })
}

/** Every text in the code of the sources, comments left out. */
export function textsIn(sources: readonly Source[]): ReadonlySet<string> {
  const nodes = sources.flatMap((source) => nodesOf(source).map(({ node }) => node))
  return new Set(nodes.filter(ts.isStringLiteralLike).map((node) => node.text))
}

interface Placed {
  readonly node: ts.Node
  readonly place: string
}

function nodesOf({ file, text }: Source): Placed[] {
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const nodes: Placed[] = []
  const visit = (node: ts.Node): void => {
    const { line } = parsed.getLineAndCharacterOfPosition(node.getStart(parsed))
    nodes.push({ node, place: `${file}:${line + 1}` })
    ts.forEachChild(node, visit)
  }
  visit(parsed)
  return nodes
}

/** Where a node says the code of a notice. */
function codeExpressions(node: ts.Node): ts.Expression[] {
  if (ts.isObjectLiteralExpression(node)) return isNotice(node) ? codeOf(node) : []
  if (ts.isVariableDeclaration(node)) {
    const isCode = node.type?.getText() === 'NoticeCode'
    return isCode && node.initializer ? [node.initializer] : []
  }
  if (!ts.isCallExpression(node) || !/^#?(\w*notice|event)$/i.test(calleeName(node))) return []
  const whole = node.arguments.filter(ts.isObjectLiteralExpression).find(hasCode)
  const text = node.arguments.find(isText)
  if (!whole) return text ? [text] : node.arguments.slice(0, 1)
  // One with a type is seen as an object of its own.
  return isNotice(whole) ? [] : codeOf(whole)
}

const isText = (expression: ts.Expression): boolean =>
  codesIn(expression).some((code) => code !== undefined)

const hasCode = ({ properties }: ts.ObjectLiteralExpression): boolean =>
  properties.some((property) => property.name?.getText() === 'code')

const isNotice = (object: ts.ObjectLiteralExpression): boolean =>
  valueOf(object, 'type').some((type) => ts.isStringLiteralLike(type) && type.text === 'notice')

const codeOf = (object: ts.ObjectLiteralExpression): ts.Expression[] => valueOf(object, 'code')

function valueOf({ properties }: ts.ObjectLiteralExpression, name: string): ts.Expression[] {
  return properties.flatMap((property) =>
    ts.isPropertyAssignment(property) && property.name.getText() === name
      ? [property.initializer]
      : [],
  )
}

function calleeName({ expression }: ts.CallExpression): string {
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text
  return ts.isIdentifier(expression) ? expression.text : ''
}

function codesIn(expression: ts.Expression): (string | undefined)[] {
  if (ts.isStringLiteralLike(expression)) return [expression.text]
  if (ts.isAsExpression(expression) || ts.isParenthesizedExpression(expression))
    return codesIn(expression.expression)
  if (ts.isConditionalExpression(expression))
    return [expression.whenTrue, expression.whenFalse].flatMap(codesIn)
  return ts.isTemplateExpression(expression) || ts.isBinaryExpression(expression) ? [undefined] : []
}
