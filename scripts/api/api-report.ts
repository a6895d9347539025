/**
 * The API report of one door: every export with its whole public signature, sorted by name, and the types
 * that no door exports but a signature names. Comments and files are left out, so that a change of the report
 * is a change for users.
 */
import { dirname, join, sep } from 'node:path'
import { format } from 'prettier'
import ts from 'typescript'
import type { DoorSource } from '../doors/door-sources.ts'
import type { Declarations, Declared } from './declarations.ts'

/** What the doors of all packages export: a signature may name it without explaining it. */
export type Known = ReadonlySet<string>

/** The report as Markdown, in the layout of the repository. */
export async function apiReport(
  door: DoorSource,
  declarations: Declarations,
  known: Known,
): Promise<string> {
  const exported = declarations.exportsOf(door.source)
  const names = [...exported.keys()].sort()
  const hidden = hiddenTypes([...exported.values()], declarations, known)
  const markdown = [
    `# API of \`${door.name}\``,
    '`npm run api` writes this page from the declarations. A change here is a change for users: it belongs in CHANGELOG.md.',
    fence(names.map((name) => signature(exported.get(name)!, declarations, name))),
    ...(hidden.length > 0 ? ['## Named above, exported by no door'] : []),
    ...(hidden.length > 0 ? [fence(hidden.map((each) => signature(each, declarations)))] : []),
  ].join('\n\n')
  return format(markdown, { ...LAYOUT, parser: 'markdown' })
}

/** That of .prettierrc.json, which `npm run format` holds the reports to. */
const LAYOUT = { printWidth: 100, singleQuote: true, semi: false, trailingComma: 'all' } as const

/** One name for one declaration. */
export const keyOf = ({ file, name }: Declared): string => `${file}#${name}`

const fence = (signatures: readonly string[]): string =>
  ['```ts', signatures.join('\n\n'), '```'].join('\n')

function signature(declared: Declared, declarations: Declarations, name = declared.name): string {
  const lines = declarations.statementsOf(declared).map((statement) => textOf(statement))
  const renamed = name === declared.name ? [] : [`// exported as ${name}`]
  return [...renamed, ...lines].join('\n')
}

/** Which file a type lies in is not the user's concern. */
const textOf = (statement: ts.Statement): string =>
  statement.getText().replace(/import\("[^"]+"\)\./g, '')

/** Everything that a signature leads to, and that no door exports; sorted by name. */
function hiddenTypes(
  exported: readonly Declared[],
  declarations: Declarations,
  known: Known,
): readonly Declared[] {
  const found = new Map<string, Declared>()
  const visit = (declared: Declared): void => {
    for (const each of referencesOf(declared, declarations)) {
      if (known.has(keyOf(each)) || found.has(keyOf(each))) continue
      if (declarations.statementsOf(each).length === 0) continue
      found.set(keyOf(each), each)
      visit(each)
    }
  }
  exported.forEach(visit)
  return [...found.values()].sort((a, b) => (keyByName(a) < keyByName(b) ? -1 : 1))
}

const keyByName = ({ file, name }: Declared): string => `${name} ${file}`

function referencesOf(declared: Declared, declarations: Declarations): Declared[] {
  const { file } = declared
  const references: Declared[] = []
  const visit = (node: ts.Node): void => {
    for (const name of namesIn(node)) {
      const meaning = isTypeParameter(node, name) ? undefined : declarations.meaningOf(file, name)
      if (meaning) references.push(meaning)
    }
    if (ts.isImportTypeNode(node)) references.push(...importedBy(node, file))
    ts.forEachChild(node, visit)
  }
  declarations.statementsOf(declared).forEach(visit)
  return references
}

/** The name that a node looks up, if it does. */
function namesIn(node: ts.Node): string[] {
  if (ts.isTypeReferenceNode(node)) return [leftmost(node.typeName)]
  if (ts.isTypeQueryNode(node)) return [leftmost(node.exprName)]
  if (ts.isExpressionWithTypeArguments(node) && ts.isIdentifier(node.expression))
    return [node.expression.text]
  // `[BRAND]: true` names a member by a symbol.
  if (ts.isComputedPropertyName(node) && ts.isIdentifier(node.expression))
    return [node.expression.text]
  return []
}

const leftmost = (name: ts.EntityName | ts.Node): string =>
  ts.isQualifiedName(name) ? leftmost(name.left) : ts.isIdentifier(name) ? name.text : ''

function isTypeParameter(node: ts.Node, name: string): boolean {
  for (let around = node.parent; around; around = around.parent) {
    const { typeParameters } = around as Partial<ts.SignatureDeclaration>
    if (typeParameters?.some((parameter) => parameter.name.text === name)) return true
    if (ts.isMappedTypeNode(around) && around.typeParameter.name.text === name) return true
  }
  return false
}

/** `import("../a.ts").B` of an inferred type. */
function importedBy({ argument, qualifier }: ts.ImportTypeNode, file: string): Declared[] {
  if (!ts.isLiteralTypeNode(argument) || !ts.isStringLiteral(argument.literal) || !qualifier)
    return []
  const path = join(dirname(file), argument.literal.text).replaceAll(sep, '/')
  return argument.literal.text.startsWith('.') ? [{ file: path, name: leftmost(qualifier) }] : []
}
