/**
 * A destructured parameter: the model sees its properties beside the other parameters, with the defaults
 * and comments of the pattern. Only a plain object can be taken apart; another type stays one value.
 */
import ts from 'typescript'
import { checkNotes } from './check-notes.ts'
import { docOf, valueDoc, type Doc } from './doc-comment.ts'
import { literalValue } from './literal-value.ts'
import type { ParameterDocs } from './parameter-docs.ts'
import type { Problems } from './problems.ts'
import type { Notes, Property, Shape } from '../shape/shape.ts'
import { bareShape } from '../shape/shape-walk.ts'

export interface FlatReading {
  /** What the doc comment calls the parameter, or `input`. */
  readonly root: string
  readonly docs: ParameterDocs
  readonly checker: ts.TypeChecker
  readonly problems: Problems
}

/** The properties that stand for the parameter, or undefined if it stays one value. */
export function flatProperties(
  shape: Shape,
  declaration: ts.ParameterDeclaration,
  reading: FlatReading,
): readonly Property[] | undefined {
  const { root, problems, docs } = reading
  if (!ts.isObjectBindingPattern(declaration.name)) return undefined
  const bare = bareShape(shape)
  const why = whyWhole(bare, declaration)
  if (why !== undefined || bare.kind !== 'object') {
    problems.warn(declaration.name, {
      message: `The destructured parameter stays one object, "${root}": ${why}.`,
      fix: 'Destructure a plain object type, or give the parameter a name.',
    })
    return undefined
  }
  warnOfText(docs.take(root), `@param ${root}`, problems)
  warnOfText(docOf(declaration), 'The comment before the pattern', problems)
  return describedBy(declaration.name, bare.properties, reading)
}

function whyWhole(bare: Shape, { initializer }: ts.ParameterDeclaration): string | undefined {
  if (bare.kind !== 'object') return 'its type is not one object type'
  if (bare.class) return `it is an instance of the class ${bare.class.name}`
  if (bare.others) return 'its type allows further properties'
  if (!initializer) return undefined
  const isEmpty = ts.isObjectLiteralExpression(initializer) && initializer.properties.length === 0
  return isEmpty && bare.properties.every(({ optional }) => optional)
    ? undefined
    : 'it has a default of its own'
}

/** The model does not see the parameter itself, so nothing that describes it can be told. */
function warnOfText(doc: Doc | undefined, which: string, problems: Problems): void {
  const isEmpty = !doc || (doc.description === undefined && doc.tags.length === 0)
  if (isEmpty || !doc.node) return
  problems.warn(doc.node, {
    message: `${which} is not used: the parameter is destructured, and the model sees its properties.`,
    fix: 'Describe the properties, in their type or by @param with their names.',
  })
}

/** Adds the defaults of a pattern, and what `@param` and its own comments say. */
function describedBy(
  pattern: ts.ObjectBindingPattern,
  properties: readonly Property[],
  reading: FlatReading,
): readonly Property[] {
  const { docs, root, problems, checker } = reading
  const elements = new Map(
    pattern.elements.filter((one) => !one.dotDotDotToken).map((one) => [boundName(one), one]),
  )
  return properties.map((property) => {
    const { name, shape } = property
    const element = elements.get(name)
    const texts = [docs.take(`${root}.${name}`), docs.take(name), element && docOf(element)]
    const notes = texts.reduce<Notes>(
      (known, doc) => withText(known, { doc, property }, problems),
      property.notes,
    )
    const value = element?.initializer && literalValue(element.initializer, checker)
    const isTold = value !== undefined && !('default' in notes)
    const told = isTold ? { ...notes, default: value } : notes
    const isRequired = texts.some((doc) => doc && valueDoc(doc, problems).presence?.required)
    return {
      ...property,
      optional: property.optional && !isRequired,
      shape: withInnerDefaults(shape, element, checker),
      notes: checkNotes({ notes: told, shape, path: name }, element ?? pattern, problems),
    }
  })
}

const boundName = ({ propertyName, name }: ts.BindingElement): string => {
  const key = propertyName ?? name
  return ts.isIdentifier(key) || ts.isStringLiteralLike(key) ? key.text : key.getText()
}

/** What is said first wins; a text that says something else instead is reported. */
function withText(
  known: Notes,
  { doc, property }: { readonly doc: Doc | undefined; readonly property: Property },
  problems: Problems,
): Notes {
  if (!doc) return known
  const { notes } = valueDoc(doc, problems)
  const { description } = notes
  if (doc.node && description !== undefined && (known.description ?? description) !== description)
    problems.warn(doc.node, {
      message: `This text about ${property.name} is not used: another comment describes it already.`,
      fix: 'Keep one of the two.',
    })
  return { ...notes, ...known }
}

/** `{ place: { room = 'hall' } }`: defaults of a type with a name are those of the type. */
function withInnerDefaults(
  shape: Shape,
  element: ts.BindingElement | undefined,
  checker: ts.TypeChecker,
): Shape {
  if (!element || !ts.isObjectBindingPattern(element.name) || shape.kind !== 'object') return shape
  const elements = new Map(element.name.elements.map((one) => [boundName(one), one]))
  const properties = shape.properties.map((property): Property => {
    const inner = elements.get(property.name)
    const value = inner?.initializer && literalValue(inner.initializer, checker)
    const isTold = value !== undefined && !('default' in property.notes)
    return {
      ...property,
      shape: withInnerDefaults(property.shape, inner, checker),
      notes: isTold ? { ...property.notes, default: value } : property.notes,
    }
  })
  return { ...shape, properties }
}
