/**
 * Finds the tools of a source file: methods of exported classes, and exported functions, that are tagged
 * `@tool` or decorated with `@Tool` without an input schema. A tag where no tool is possible is a problem.
 */
import ts from 'typescript'
import { docOf } from './doc-comment.ts'
import type { Finding, Problems } from './problems.ts'
import type { ReaderOptions } from './reading.ts'
import type { TypeName } from '../shape/shape.ts'
import { decoratorOf, type ReadDecorator } from './tool-decorator.ts'
import type { ToolGroup, ToolModel } from '../shape/tool-model.ts'
import type { Found, ToolReader } from './tool-reader.ts'
import { factoryNameOf } from '../files/generated-file.ts'

type ClassNode = ts.ClassDeclaration | ts.ClassExpression

export class ToolFinder {
  readonly #source: ts.SourceFile
  readonly #reader: ToolReader
  readonly #checker: ts.TypeChecker
  readonly #problems: Problems
  /** Tagged declarations that were handled. */
  readonly #seen = new Set<ts.Node>()
  /** The exports so far, and their declarations. */
  readonly #offered = new Map<string, ts.Node>()

  constructor(source: ts.SourceFile, reader: ToolReader, options: ReaderOptions) {
    this.#source = source
    this.#reader = reader
    this.#checker = options.program.getTypeChecker()
    this.#problems = options.problems
  }

  groups(): readonly ToolGroup[] {
    const module = this.#checker.getSymbolAtLocation(this.#source)
    const exported = module ? this.#checker.getExportsOfModule(module) : []
    const inOrder = exported
      .map((symbol) => ({ symbol, at: this.#resolved(symbol).declarations?.[0]?.pos ?? 0 }))
      .sort((one, other) => one.at - other.at)
    const groups = inOrder.flatMap(({ symbol }) => this.#group(symbol))
    this.#sweep(this.#source)
    return groups.filter(({ tools }) => tools.length > 0)
  }

  #group(symbol: ts.Symbol): ToolGroup[] {
    const target = this.#resolved(symbol)
    const node = target.declarations?.find((one) => ts.isClassLike(one)) ?? target.declarations?.[0]
    if (!node || node.getSourceFile() !== this.#source) return []
    const from = this.#importOf(symbol, node)
    if (ts.isClassLike(node)) return this.#class(node, from)
    const declarations = (target.declarations ?? []).filter(isFunctionNode)
    return declarations.length > 0 ? this.#function(declarations, from) : []
  }

  #resolved(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
  }

  #importOf(symbol: ts.Symbol, node: ts.Declaration): TypeName {
    const ownName = (ts.getNameOfDeclaration(node) as ts.Identifier | undefined)?.text
    const local = symbol.name === 'default' ? { as: ownName ?? '' } : {}
    return { name: symbol.name, from: { file: this.#source.fileName }, ...local }
  }

  #class(node: ClassNode, from: TypeName): ToolGroup[] {
    const type = this.#checker.getTypeAtLocation(node)
    const instance = type.getProperties().flatMap((symbol) => this.#method(symbol, node, false))
    const statics = this.#checker.getTypeOfSymbolAtLocation(type.symbol, node).getProperties()
    const methods = [...instance, ...statics.flatMap((member) => this.#method(member, node, true))]
    if (methods.length === 0) return []
    const name = from.as ?? from.name
    if (!name) return this.#refuse(node, { message: 'This class has tools and no name.', fix: 'Name it: export default class AlarmTools.' }) // prettier-ignore
    if (node.typeParameters?.length) return this.#generic(node, name)
    const tools = this.#readAll(methods)
    return this.#offer({ kind: 'class', from, exportName: factoryNameOf(name), tools }, node)
  }

  /** A class that is exported twice is offered once. `Alarm` and `AlarmTools` cannot both be alarmTools. */
  #offer(group: ToolGroup, node: ts.Node): ToolGroup[] {
    const { exportName, from } = group
    const other = this.#offered.get(exportName)
    if (other === node) return []
    this.#offered.set(exportName, node)
    if (other === undefined) return [group]
    return this.#refuse(node, {
      message: `The tools of ${from.as ?? from.name} would be called ${exportName}, as others of this file are.`,
      fix: 'Rename it, or put it into a file of its own.',
    })
  }

  /** A generic class is offered through its subclasses, which give the type arguments. */
  #generic(node: ClassNode, name: string): ToolGroup[] {
    const isAbstract =
      ts.getCombinedModifierFlags(node as ts.ClassDeclaration) & ts.ModifierFlags.Abstract
    const hasSubclass = this.#source.statements.some(
      (one) => ts.isClassDeclaration(one) && (one.heritageClauses ?? []).some(({ types }) => types.some(({ expression }) => expression.getText() === name)), // prettier-ignore
    )
    return isAbstract || hasSubclass
      ? []
      : this.#refuse(node, {
          message: `The class ${name} is generic: its tools have no types yet.`,
          fix: `Export a subclass that gives the arguments: export class OrderTools extends ${name}<Order> {}.`,
        })
  }

  #function(declarations: readonly ts.Declaration[], from: TypeName): ToolGroup[] {
    const [node, ...others] = declarations.filter((one) => this.#isTagged(one))
    if (!node) return []
    this.#seen.add(node)
    this.#refuseFurtherTags(others)
    const name = from.as ?? from.name
    if (!name) return this.#refuse(node, { message: 'This function is a tool and has no name.', fix: 'Name it: export default function setAlarm.' }) // prettier-ignore
    const type = this.#checker.getTypeAtLocation(node)
    const signature = this.#signatureOf(type.getCallSignatures(), node)
    if (!signature) return []
    const isOverloaded = type.getCallSignatures().length > 1
    const found: Found = { where: name, member: name, isStatic: false, node, signature, isOverloaded, decorator: undefined } // prettier-ignore
    const tools = [this.#reader.read(found)]
    return this.#offer({ kind: 'function', from, exportName: `${name}Tool`, tools }, node)
  }

  #method(symbol: ts.Symbol, owner: ClassNode, isStatic: boolean): Found[] {
    const tagged = this.#taggedOf(symbol, owner)
    if (!tagged) return []
    const { node, decorator } = tagged
    this.#seen.add(node)
    this.#refuseFurtherTags(
      (symbol.declarations ?? []).filter((one) => one !== node && this.#isTagged(one)),
    )
    const where = `${owner.name?.text ?? 'the class'}.${symbol.name}`
    if (decorator?.hasInput) return []
    const wrong = whyNoTool(node, where)
    if (wrong) return this.#refuse(node, wrong)
    const type = this.#checker.getTypeOfSymbolAtLocation(symbol, owner)
    const signature = this.#signatureOf(type.getCallSignatures(), node)
    const isOverloaded = type.getCallSignatures().length > 1
    return signature
      ? [{ where, member: symbol.name, isStatic, node, signature, isOverloaded, decorator }]
      : []
  }

  /** The tagged declaration: the method's own, or that of the method it overrides. */
  #taggedOf(
    symbol: ts.Symbol,
    owner: ClassNode,
  ): { node: ts.Declaration; decorator: ReadDecorator | undefined } | undefined {
    const above = this.#overridden(symbol.name, owner)
    for (const node of [...(symbol.declarations ?? []), ...above]) {
      const decorator = decoratorOf(node, this.#checker, this.#problems)
      if (decorator || this.#isTagged(node)) return { node, decorator }
    }
    return undefined
  }

  #overridden(name: string, owner: ClassNode): readonly ts.Declaration[] {
    const type = this.#checker.getTypeAtLocation(owner)
    const bases = type.isClassOrInterface() ? this.#checker.getBaseTypes(type) : []
    return bases.flatMap((base) => {
      const declarations = base.getProperty(name)?.declarations ?? []
      const node = base.symbol?.declarations?.find((one) => ts.isClassLike(one))
      return [...declarations, ...(node ? this.#overridden(name, node) : [])]
    })
  }

  #isTagged(node: ts.Node): boolean {
    return docOf(node).tags.some(({ name }) => name === 'tool')
  }

  #refuseFurtherTags(others: readonly ts.Declaration[]): void {
    for (const other of others) {
      this.#seen.add(other)
      this.#refuse(other, {
        message: `${headOf(other)} is a second signature with @tool; a tool has one.`,
        fix: 'Keep the tag on the signature the model shall use, or write a method for each.',
      })
    }
  }

  /** Of several signatures, the tagged one. The others are named, since no model will see them. */
  #signatureOf(
    signatures: readonly ts.Signature[],
    node: ts.Declaration,
  ): ts.Signature | undefined {
    const [first] = signatures
    if (signatures.length === 1) {
      this.#warnOfHidden(first!.declaration, node)
      return first
    }
    const tagged = signatures.find(({ declaration }) => declaration === node)
    if (tagged)
      for (const { declaration } of signatures)
        if (declaration && declaration !== node) this.#warnOfOverload(declaration)
    if (!tagged)
      this.#refuse(node, {
        message: `${headOf(node)} has ${signatures.length} signatures, and its tag is on none of them.`,
        fix: 'Put the comment with @tool above the signature the model shall use.',
      })
    return tagged
  }

  /** Of an overloaded method, callers do not see the implementation. */
  #warnOfHidden(used: ts.Declaration | undefined, node: ts.Declaration): void {
    const isOther = used && used !== node && used.parent === node.parent
    if (!isOther || !ts.isFunctionLike(used) || !ts.isFunctionLike(node)) return
    this.#problems.warn(node, {
      message: `${headOf(node)} has the tag and is not used: callers see only ${headOf(used)}`,
      fix: 'Put the comment with @tool above the signature that callers see.',
    })
  }

  #warnOfOverload(node: ts.Declaration): void {
    if (docOf(node).tags.some(({ name }) => NOT_OFFERED.includes(name))) return
    this.#problems.warn(node, {
      message: `The overload ${headOf(node)} is not used: the tool has the signature with @tool only.`,
      fix: 'Write a method of its own for it, or say @internal in its comment.',
    })
  }

  #readAll(found: readonly Found[]): readonly ToolModel[] {
    const byName = new Map<string, ToolModel>()
    for (const one of found) {
      const tool = this.#reader.read(one)
      if (byName.has(tool.name))
        this.#refuse(one.node, {
          message: `${one.where} is the second tool of the name ${tool.name} in its class.`,
          fix: 'Give one of them another name with @name.',
        })
      byName.set(tool.name, tool)
    }
    return [...byName.values()]
  }

  /** Reports tags that made no tool. */
  #sweep(node: ts.Node): void {
    if (!this.#source.text.includes('@tool')) return
    ts.forEachChild(node, (child) => {
      const isPlace = !ts.isVariableStatement(child) && !ts.isExpression(child)
      if (isPlace && !this.#seen.has(child) && this.#isTagged(child)) this.#stray(child)
      this.#sweep(child)
    })
  }

  #stray(node: ts.Node): void {
    const owner = ts.isClassElement(node) ? node.parent : node
    const isClass = ts.isClassLike(owner)
    const name = (ts.getNameOfDeclaration(owner as ts.Declaration) as ts.Identifier | undefined)
      ?.text
    const isFunction = isFunctionNode(owner)
    if (name && isClass && node === owner)
      return void this.#refuse(node, { message: `@tool stands on the class ${name}.`, fix: 'Put it on the methods that are tools.' }) // prettier-ignore
    if (name && (isClass || isFunction) && !isExported(owner as ts.Declaration))
      return void this.#refuse(node, { message: `@tool stands on ${isClass ? 'a method of ' : ''}${name}, which is not exported.`, fix: `Export ${name}.` }) // prettier-ignore
    const fix = 'Put it on a method of an exported class, or on an exported function.'
    this.#refuse(node, { message: '@tool stands on something that cannot be a tool.', fix })
  }

  #refuse(node: ts.Node, finding: Finding): [] {
    this.#problems.add(node, finding)
    return []
  }
}

/** Tags that say that an overload is not meant to be offered. */
const NOT_OFFERED = ['internal', 'ignore', 'hidden', 'deprecated']

/** The first line of a declaration, without its body. */
const headOf = (node: ts.Node): string =>
  node
    .getText()
    .split(/\r?\n/)[0]!
    .replace(/\s*\{\s*\}?\s*$/, '')

const isExported = (node: ts.Declaration): boolean =>
  (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0

/** A function, or a constant that holds one. */
function isFunctionNode(node: ts.Node): node is ts.FunctionDeclaration | ts.VariableDeclaration {
  if (ts.isFunctionDeclaration(node)) return true
  if (!ts.isVariableDeclaration(node) || !node.initializer) return false
  return ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer)
}

function whyNoTool(node: ts.Declaration, where: string): Finding | undefined {
  const name = ts.getNameOfDeclaration(node)
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
  if ((name && ts.isPrivateIdentifier(name)) || ts.getCombinedModifierFlags(node) & hidden)
    return { message: `${where} is not public: nobody can call it.`, fix: 'Make it public.' }
  if (name && ts.isComputedPropertyName(name))
    return { message: `${where} has a computed name.`, fix: 'Write its name plainly.' }
  const isMethod =
    ts.isMethodDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isMethodSignature(node)
  return isMethod ? undefined : { message: `${where} is no method.`, fix: 'Make it a method.' }
}
