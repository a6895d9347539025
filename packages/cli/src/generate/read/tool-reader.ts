/** Reads one tagged method or function: its doc comment, its parameters and its result. */
import ts from 'typescript'
import { checkNotes, misfit } from './check-notes.ts'
import { docOf, NO_DOC, paramDocs, valueDoc, type Doc } from './doc-comment.ts'
import type { Tag } from './doc-tags.ts'
import { didYouMeanTag } from './doc-tags.ts'
import { literalValue } from './literal-value.ts'
import { asWritten } from './object-reader.ts'
import { readOutput } from './output-reader.ts'
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
    const docs = paramDocs(doc)
    const parameters = signature.parameters.map((symbol, index) =>
      this.#parameter(symbol, index, { found, docs }),
    )
    this.#checkParamNames(parameters, docs, doc)
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
    const name = parameterName(symbol, declaration, { index, docs })
    const { type, written } = asWritten(signatureType, declaration, checker)
    const doc = valueDoc(docs.get(name) ?? NO_DOC, this.#problems)
    const node = declaration ?? found.node
    const read = this.#inputs.read(type, { node, path: name, written, allowAny: doc.any })
    const { shape, had } = withoutUndefined(read)
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
      shape: withDottedDocs(shape, name, docs),
      optional: mayMiss && doc.presence?.required !== true,
      mayBeUndefined: mayMiss && !rest,
      rest,
      notes,
    }
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

  /** A text for an unknown parameter is a misspelling or outdated. */
  #checkParamNames(
    parameters: readonly Parameter[],
    docs: ReadonlyMap<string, Doc>,
    { tags }: Doc,
  ): void {
    const inputs = parameters.filter((parameter) => parameter.kind === 'input')
    const names = inputs.map(({ name }) => name)
    if (inputs.length < parameters.length) return
    const stray = [...docs.keys()].find((name) => !names.includes(name.split(/[.[]/)[0]!))
    const tag = tags.find(({ name, text }) => name === 'param' && stray && text.includes(stray))
    if (stray && tag)
      this.#problems.add(tag.node, {
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
  readonly docs: ReadonlyMap<string, Doc>
}

/** A destructured parameter has no name: the doc comment's name is used, or `input`. */
function parameterName(
  symbol: ts.Symbol,
  declaration: ts.ParameterDeclaration | undefined,
  { index, docs }: { index: number; docs: ReadonlyMap<string, Doc> },
): string {
  if (!declaration || ts.isIdentifier(declaration.name)) return symbol.name
  const documented = [...docs.keys()].filter((name) => !name.includes('.'))[index]
  return documented ?? (index === 0 ? 'input' : `input${index + 1}`)
}

/** Optional parameters may come before required ones: a missing value is passed as undefined. */
const isOptional = ({ questionToken, initializer }: ts.ParameterDeclaration): boolean =>
  questionToken !== undefined || initializer !== undefined

function mayBeEmpty(shape: Shape): boolean {
  return shape.kind !== 'tuple' || shape.items.every(({ optional }) => optional)
}

/** `@param order.note` describes a property whose own declaration has no comment. */
function withDottedDocs(shape: Shape, path: string, docs: ReadonlyMap<string, Doc>): Shape {
  const hasDocs = [...docs.keys()].some((name) => name.startsWith(`${path}.`))
  if (!hasDocs || shape.kind !== 'object') return shape
  const described = (property: Property): Property => {
    const inner = `${path}.${property.name}`
    const description = docs.get(inner)?.description
    return {
      ...property,
      shape: withDottedDocs(property.shape, inner, docs),
      notes: { ...(description && { description }), ...property.notes },
    }
  }
  return { ...shape, properties: shape.properties.map(described) }
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
