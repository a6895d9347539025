/** Reads one tagged method or function: its doc comment, its parameters and its result. */
import ts from 'typescript'
import { checkNotes, misfit } from './check-notes.ts'
import { docOf, NO_DOC, valueDoc, type Doc, type ValueDoc } from './doc-comment.ts'
import type { Tag } from './doc-tags.ts'
import { didYouMeanTag } from './doc-tags.ts'
import { flatProperties } from './flat-parameter.ts'
import { literalValue } from './literal-value.ts'
import { asWritten } from './object-reader.ts'
import { readOutput } from './output-reader.ts'
import { ParameterDocs } from './parameter-docs.ts'
import { Problems } from './problems.ts'
import type { JsonValue, Notes, Property, Shape } from '../shape/shape.ts'
import type { ReaderOptions, ReadUnion } from './reading.ts'
import { ShapeReader } from './shape-reader.ts'
import { bareShape, needsRevival } from '../shape/shape-walk.ts'
import type { ReadDecorator } from './tool-decorator.ts'
import { inputShape, type Parameter, type ToolModel } from '../shape/tool-model.ts'
import { isFromToolwright } from './toolwright-symbol.ts'
import { withoutUndefined } from './union-reader.ts'

/** A method or function that was found. */
export interface Found {
  /** `AlarmTools.setAlarm` */
  readonly where: string
  readonly member: string
  readonly isStatic: boolean
  /** The declaration with the tag or decorator. */
  readonly node: ts.Declaration
  readonly signature: ts.Signature
  readonly isOverloaded: boolean
  readonly decorator: ReadDecorator | undefined
}

export class ToolReader {
  readonly #inputs: ShapeReader
  readonly #options: ReaderOptions
  readonly #problems: Problems

  constructor(options: ReaderOptions) {
    this.#options = options
    this.#problems = options.problems
    this.#inputs = new ShapeReader(options)
  }

  /** The unions in parameters. */
  get unions(): readonly ReadUnion[] {
    return this.#inputs.unions
  }

  read(found: Found): ToolModel {
    const { node, signature, member, isStatic, isOverloaded } = found
    const doc = docOf(node)
    const docs = new ParameterDocs(doc, this.#problems)
    const parameters = signature.parameters.map((symbol, index) =>
      this.#parameter(symbol, index, { found, docs }),
    )
    this.#checkParamNames(parameters, docs)
    this.#checkUnique(parameters, found)
    docs.warnOfUnused()
    const { output, orNull } = readOutput(signature, node, this.#options)
    const options = this.#optionsOf(doc, found, parameters)
    const { name = member, ...rest } = options
    return { name: String(name), member, isStatic, isOverloaded, lengths: lengthsOf(signature, this.#inputs.checker), options: rest, parameters, output, orNull } // prettier-ignore
  }

  #parameter(symbol: ts.Symbol, index: number, { found, docs }: Documented): Parameter {
    const { checker } = this.#inputs
    const declaration = symbol.valueDeclaration as ts.ParameterDeclaration
    const signatureType = checker.getTypeOfSymbolAtLocation(symbol, found.node)
    const context = this.#context(signatureType, declaration)
    if (context) return context
    const name = parameterName(symbol, index, { found, docs, checker })
    const { type, written } = asWritten(signatureType, declaration, checker)
    const doc = this.#docOf(name, declaration, docs)
    const node = declaration ?? found.node
    const read = this.#inputs.read(type, { node, path: name, written, allowAny: doc.any })
    const { shape, had } = withoutUndefined(read)
    const flat = declaration && flatProperties(shape, declaration, { root: name, docs, checker, problems: this.#problems }) // prettier-ignore
    if (flat) return { kind: 'input', name, shape, optional: false, mayBeUndefined: isOptional(declaration), rest: false, notes: {}, flat } // prettier-ignore
    const rest = declaration?.dotDotDotToken !== undefined
    const mayMiss = had || isOptional(declaration) || (rest && mayBeEmpty(shape))
    if (doc.presence && !doc.presence.required && !mayMiss)
      this.#problems.add(doc.presence.node, {
        message: `${name} is @optional, but its type wants a value.`,
        fix: `Make the parameter optional (${name}?), or take @optional away.`,
      })
    const noted = this.#notes(doc.notes, declaration)
    const notes = checkNotes({ notes: noted, shape, path: name }, node, this.#problems)
    return {
      kind: 'input',
      name,
      shape: this.#withDottedDocs(shape, name, docs),
      optional: mayMiss && doc.presence?.required !== true,
      mayBeUndefined: mayMiss && !rest,
      rest,
      notes,
    }
  }

  /** What `@param` says, otherwise the comment before the parameter itself. */
  #docOf(
    name: string,
    declaration: ts.ParameterDeclaration | undefined,
    docs: ParameterDocs,
  ): ValueDoc {
    const own = declaration && ts.isIdentifier(declaration.name) ? docOf(declaration) : NO_DOC
    const told = docs.take(name)
    if (told?.description && own.description && own.node && told.description !== own.description)
      this.#problems.warn(own.node, {
        message: `The comment before ${name} is not used: @param ${name} describes it already.`,
        fix: 'Keep one of the two.',
      })
    return valueDoc(told ?? own, this.#problems)
  }

  #notes(notes: Notes, declaration: ts.ParameterDeclaration | undefined): Notes {
    const { initializer } = declaration ?? {}
    const value = initializer && literalValue(initializer, this.#inputs.checker)
    return value === undefined || 'default' in notes ? notes : { ...notes, default: value }
  }

  #context(type: ts.Type, node: ts.ParameterDeclaration): Parameter | undefined {
    const { checker } = this.#inputs
    const bare = checker.getNonNullableType(type)
    const symbol = bare.symbol ?? bare.aliasSymbol
    if (!symbol || !isFromToolwright(symbol, 'ToolContext', checker)) return undefined
    const [values] = checker.getTypeArguments(bare as ts.TypeReference)
    const isNamed = values && values.getProperties().length > 0
    if (!isNamed) return { kind: 'context', values: undefined }
    // The application passes context values unchanged, so values without a JSON form are not checked.
    const reader = new ShapeReader({ ...this.#options, problems: new Problems() })
    return { kind: 'context', values: checkable(reader.read(values, { node, path: 'context' })) }
  }

  #optionsOf(doc: Doc, { decorator, where }: Found, parameters: readonly Parameter[]): Options {
    const tags = new Map(doc.tags.map((tag) => [tag.name, tag]))
    for (const tag of doc.tags) didYouMeanTag(tag, this.#problems)
    const worded = (name: string): string | undefined =>
      tags.get(name)?.text.replace(/\s+/g, ' ') || undefined
    const deprecated =
      tags.has('deprecated') && `Deprecated: ${worded('deprecated') ?? 'use another tool'}`
    const description = [doc.description, deprecated].filter(Boolean).join(' ')
    const examples = this.#examples(doc.tags, where, parameters)
    const hints = ['readOnly', 'destructive', 'idempotent'].filter((hint) => tags.has(hint))
    const optionsFromTags: Options = {
      ...(worded('name') && { name: worded('name')! }),
      ...(worded('title') && { title: worded('title')! }),
      ...(description && { description }),
      ...(tags.has('returnDirect') && { returnDirect: true }),
      ...(hints.length > 0 && { hints: Object.fromEntries(hints.map((hint) => [hint, true])) }),
      ...(tags.has('approval') && { approval: true }),
      ...(examples.length > 0 && { inputExamples: examples }),
    }
    return { ...optionsFromTags, ...decorator?.options }
  }

  /** The examples of the input. Examples in code are for people and are skipped. */
  #examples(tags: readonly Tag[], where: string, parameters: readonly Parameter[]): JsonValue[] {
    return tags.flatMap(({ name, text, node }) => {
      const json = text.replace(/^```json\s*([\s\S]*?)\s*```$/, '$1')
      if (name !== 'example' || !json.startsWith('{')) return []
      const value = parsed(json)
      const wrong =
        value === undefined ? 'it is no JSON' : misfit(inputShape(parameters), value, '')
      if (wrong === undefined) return [value!]
      this.#problems.add(node, {
        message: `@example of ${where} does not fit its parameters: ${wrong}.`,
        fix: 'Write the arguments as one JSON object, each parameter by its name.',
      })
      return []
    })
  }

  /** Two parameters cannot be one property of the input. */
  #checkUnique(parameters: readonly Parameter[], { node, where }: Found): void {
    const names = inputShape(parameters).properties.map(({ name }) => name)
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined)
      this.#problems.add(node, {
        message: `${where} has two parameters that the model would know as ${twice}.`,
        fix: 'Rename one of them, or give the destructured parameter a name.',
      })
  }

  /** `@param order.note` describes a property whose own declaration has no comment. */
  #withDottedDocs(shape: Shape, path: string, docs: ParameterDocs): Shape {
    if (shape.kind !== 'object' || !docs.hasInside(path)) return shape
    const described = (property: Property): Property => {
      const inner = `${path}.${property.name}`
      const doc = docs.take(inner)
      const { notes } = valueDoc(doc ?? NO_DOC, this.#problems)
      const noted = { notes: { ...notes, ...property.notes }, shape: property.shape, path: inner }
      return {
        ...property,
        shape: this.#withDottedDocs(property.shape, inner, docs),
        notes: doc ? checkNotes(noted, doc.node, this.#problems) : property.notes,
      }
    }
    return { ...shape, properties: shape.properties.map(described) }
  }

  /** A text for an unknown parameter is a misspelling or outdated. */
  #checkParamNames(parameters: readonly Parameter[], docs: ParameterDocs): void {
    const inputs = parameters.filter((parameter) => parameter.kind === 'input')
    if (inputs.length < parameters.length) return
    const names = inputs.flatMap(({ name, flat = [] }) => [name, ...flat.map((one) => one.name)])
    const stray = docs.names.find((name) => !names.includes(name.split(/[.[]/)[0]!))
    const node = stray && docs.nodeOf(stray)
    if (stray && node)
      this.#problems.add(node, {
        message: `@param ${stray} describes no parameter; there are: ${names.join(', ') || 'none'}.`,
        fix: 'Write the name of the parameter as the signature has it.',
      })
  }
}

function lengthsOf({ parameters }: ts.Signature, checker: ts.TypeChecker): number[] {
  const declarations = parameters.map((one) => one.valueDeclaration as ts.ParameterDeclaration)
  const most = declarations.length
  const needed = declarations.findLastIndex((one) => !checker.isOptionalParameter(one)) + 1
  return Array.from({ length: most - needed + 1 }, (_none, index) => needed + index)
}

/** Only values that are the same in the application and in JSON can be checked. */
function checkable(values: Shape): Shape | undefined {
  const bare = bareShape(values)
  if (bare.kind !== 'object') return undefined
  const isPlain = (shape: Shape): boolean => !needsRevival(shape)
  const properties = bare.properties.map((one): Property =>
    isPlain(one.shape) ? one : { ...one, shape: { kind: 'unknown' } },
  )
  return { ...bare, properties, class: undefined }
}

type Options = { readonly [option: string]: JsonValue }

interface Documented {
  readonly found: Found
  readonly docs: ParameterDocs
}

/**
 * A destructured parameter has no name: the doc comment's is used, or `input`. Names of other parameters
 * and of properties mean those.
 */
function parameterName(
  symbol: ts.Symbol,
  index: number,
  { found, docs, checker }: Documented & { readonly checker: ts.TypeChecker },
): string {
  const { parameters } = found.signature
  if (!isPattern(symbol)) return symbol.name
  const patterns = parameters.filter(isPattern)
  const known = [
    ...parameters.filter((one) => !isPattern(one)).map(({ name }) => name),
    ...patterns.flatMap((one) => propertyNames(checker.getTypeOfSymbolAtLocation(one, found.node))),
  ]
  const documented = docs.rootsBesides(known)[patterns.indexOf(symbol)]
  return documented ?? (index === 0 ? 'input' : `input${index + 1}`)
}

function isPattern({ valueDeclaration }: ts.Symbol): boolean {
  const { name } = (valueDeclaration ?? {}) as Partial<ts.ParameterDeclaration>
  return name !== undefined && !ts.isIdentifier(name)
}

const propertyNames = (type: ts.Type): readonly string[] =>
  type
    .getNonNullableType()
    .getProperties()
    .map(({ name }) => name)

/** Optional parameters may come before required ones: a missing value is passed as undefined. */
const isOptional = ({ questionToken, initializer }: ts.ParameterDeclaration): boolean =>
  questionToken !== undefined || initializer !== undefined

function mayBeEmpty(shape: Shape): boolean {
  return shape.kind !== 'tuple' || shape.items.every(({ optional }) => optional)
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
