/** Writes the generated file of a source: tools first, then what they need. */
import { basename } from 'node:path'
import type ts from 'typescript'
import { END, hanging, list, memberCode, objectCode, print, text, valueCode, type Code, type CodeStyle } from './code.ts' // prettier-ignore
import { checksOf } from './file-checks.ts'
import { checksCode } from './file-helpers.ts'
import { firstLineFor } from '../files/generated-file.ts'
import { isInferable } from './inferable.ts'
import { JsonTypes } from './json-type.ts'
import { Names } from './names.ts'
import { Reviver } from './revival.ts'
import { schemaOf } from './schema-of.ts'
import type { ObjectShape, Shape } from '../shape/shape.ts'
import { bareShape, someWithin } from '../shape/shape-walk.ts'
import { inputShape, type InputParameter, type ToolGroup, type ToolModel } from '../shape/tool-model.ts' // prettier-ignore
import { identifierOf, isIdentifier, RESERVED, upperFirst } from '../shape/identifier.ts'
import { methodPath, parameterPath, pathTypes, type TypePath } from './type-path.ts'

export interface FileOptions {
  readonly source: ts.SourceFile
  readonly options: ts.CompilerOptions
  readonly style: CodeStyle
}

export function writeToolsFile(
  groups: readonly ToolGroup[],
  { source, options, style }: FileOptions,
): string {
  const names = new Names(source, options)
  const name = basename(source.fileName)
  const { own, statements } = new ToolsFile(names).write(groups, checksName(name))
  const printed = (codes: readonly Code[]): readonly string[] =>
    codes.map((code) => print(code, style).replaceAll(/\r?\n/g, style.newLine))
  const texts = printed(statements)
  const body = [...texts, ...printed(pathTypes(texts.join()))].join(style.newLine.repeat(2))
  const head = [firstLineFor(name), own, ...names.imports(body)].map((code) => print(code, style))
  return head.join(style.newLine) + style.newLine.repeat(2) + body + style.newLine
}

/** `alarm-tools.ts` → `AlarmToolsUnchanged` */
function checksName(file: string): string {
  return `${upperFirst(identifierOf(file.replace(/\.[^.]+$/, '')))}Unchanged`
}

/** What a tool calls, and its type. */
interface Target {
  readonly callee: Code
  readonly method: Code
}

class ToolsFile {
  readonly #names: Names
  readonly #types: JsonTypes
  readonly #reviver: Reviver
  readonly #typed: Set<string> = new Set()

  constructor(names: Names) {
    this.#names = names
    this.#types = new JsonTypes(names)
    this.#reviver = new Reviver(names, this.#types)
  }

  write(
    groups: readonly ToolGroup[],
    checksName: string,
  ): { own: Code; statements: readonly Code[] } {
    for (const { exportName } of groups) this.#names.claim(exportName)
    const exported = groups.flatMap((group) => this.#group(group))
    const guards = checksCode(checksName, checksOf(groups, this.#names))
    const libraryNames = list(['{', '}'], ['tool', 'type ToolCallback', ...[...this.#typed]])
    return {
      own: ['import ', libraryNames, ' from ', text('toolwright'), END],
      statements: [
        ...exported,
        ...this.#types.declarations,
        ...this.#reviver.declarations,
        ...guards,
      ],
    }
  }

  #group(group: ToolGroup): Code[] {
    const { kind, from, exportName, tools } = group
    const schemas: Code[] = []
    const hasInstance = tools.some(({ isStatic }) => !isStatic)
    const isValue = kind === 'function' || tools.some(({ isStatic }) => isStatic)
    const local = this.#names.use(from, isValue ? 'value' : 'type')
    const codes = tools.map((tool) => {
      const callee =
        kind === 'function' ? local : memberCode(tool.isStatic ? local : 'instance', tool.member)
      return this.#tool(tool, { callee, method: methodPath(group, tool, local) }, schemas)
    })
    if (kind === 'function') return [...schemas, [`export const ${exportName}: ToolCallback = `, codes[0]!, END]] // prettier-ignore
    const parameter = hasInstance ? `instance: ${local}` : ''
    const article = /^(?:[AEIO]|U(?![ns])|[FHLMNRSX][A-Z])/.test(local) ? 'an' : 'a'
    const comment = `/** The tools of ${hasInstance ? `${article} ` : ''}${local}. */\n`
    const head = `${comment}export const ${exportName} = (${parameter}): readonly ToolCallback[] => `
    return [...schemas, [head, list(['[', ']'], codes, { broken: true }), END]]
  }

  #tool(tool: ToolModel, target: Target, schemas: Code[]): Code {
    const { name, options, output, parameters } = tool
    const inputs = parameters.filter((one): one is InputParameter => one.kind === 'input')
    const context = parameters.some((one) => one.kind === 'context')
    const { title, description, ...others } = options
    const input = inputShape(parameters)
    const entries: [string, Code][] = [
      ['name', text(name)],
      ...(title === undefined ? [] : [['title', valueCode(title)] as [string, Code]]),
      ...(description === undefined
        ? []
        : [['description', valueCode(description)] as [string, Code]]),
    ]
    if (inputs.length > 0)
      entries.push(['input', this.#schema(input, `${tool.member}Input`, schemas)])
    if (output) entries.push(['output', valueCode(schemaOf(output, { mode: 'output' }))])
    if (context) entries.push(...this.#context(tool, target, schemas))
    for (const [option, value] of Object.entries(others)) entries.push([option, valueCode(value)])
    entries.push(['execute', this.#execute(tool, inputs, target)])
    return ['tool(', objectCode(entries, true), ')']
  }

  /** A schema literal, if TypeScript can infer its type; otherwise a constant with its type written out. */
  #schema(shape: Shape, wanted: string, schemas: Code[]): Code {
    const code = valueCode(schemaOf(shape, { mode: 'input' }))
    if (isInferable(shape)) return code
    this.#typed.add('type TypedJsonSchema')
    const name = this.#names.claim(wanted)
    schemas.push([`const ${name}: TypedJsonSchema<`, this.#types.code(shape), '> = ', code, END])
    return name
  }

  /** The keys of the tool context that are checked, with the types of the method. */
  #context(tool: ToolModel, { method }: Target, schemas: Code[]): [string, Code][] {
    const index = tool.parameters.findIndex((one) => one.kind === 'context' && one.values)
    const parameter = tool.parameters[index]
    if (parameter?.kind !== 'context' || !parameter.values) return []
    const code = valueCode(schemaOf(parameter.values, { mode: 'input' }))
    const isPlain = isInferable(parameter.values) && !someWithin(parameter.values, ({ kind }) => kind === 'unknown') // prettier-ignore
    if (isPlain || tool.isOverloaded) return [['context', code]]
    this.#typed.add('type TypedJsonSchema')
    const name = this.#names.claim(`${tool.member}Context`)
    const type = ['NonNullable<Parameters<', method, `>[${index}]>[`, valueCode('values'), ']']
    schemas.push([`const ${name}: TypedJsonSchema<`, type, '> = ', code, END])
    return [['context', name]]
  }

  #execute(tool: ToolModel, inputs: readonly InputParameter[], target: Target): Code {
    const hasContext = tool.parameters.some(({ kind }) => kind === 'context')
    const names = inputShape(tool.parameters).properties.map(({ name }) => name)
    // A destructured parameter that is alone gets the input as it is.
    const isWhole = inputs.length === 1 && inputs[0]!.flat !== undefined
    const isClear = !isWhole && names.every((name) => this.#isClear(name))
    const taken = isClear ? list(['{', '}'], names) : 'input'
    const codeFor = (name: string): string => (isClear ? name : inputCode(name))
    const first = inputs.length > 0 ? [taken] : hasContext ? ['_input'] : []
    const head = list(['(', ')'], hasContext ? [...first, 'context'] : first, { last: '' })
    const passed = tool.parameters.map((parameter, index) => {
      if (parameter.kind === 'context') return 'context'
      const type = parameterPath(target.method, tool, index)
      if (!parameter.flat) return this.#argument(parameter, codeFor(parameter.name), type)
      if (isWhole)
        return this.#reviver.revive(parameter.shape, { code: 'input', called: tool.member, type })
      return this.#reviver.assemble(bareShape(parameter.shape) as ObjectShape, codeFor, type)
    })
    const call = [target.callee, list(['(', ')'], passed)]
    if (tool.orNull === 'async')
      return hanging(['async ', head, ' =>'], ['(await ', call, ') ?? null'])
    return hanging([head, ' =>'], tool.orNull === 'sync' ? [call, ' ?? null'] : call)
  }

  /** Whether a parameter can keep its own name beside the other names of the file. */
  #isClear(name: string): boolean {
    return isIdentifier(name) && !RESERVED.has(name) && !this.#names.isTaken(name)
  }

  #argument({ name, shape, optional, rest }: InputParameter, value: string, type: TypePath): Code {
    const code = this.#reviver.revive(shape, { code: value, called: name, type, isSpread: rest })
    const revived = optional && code !== value && !rest ? [`${value} === undefined ? undefined : `, code] : code // prettier-ignore
    if (!rest) return revived
    if (!optional) return ['...', code]
    return code === value
      ? `...(${value} ?? [])`
      : ['...(', `${value} === undefined ? [] : `, code, ')']
  }
}

const inputCode = (name: string): string =>
  isIdentifier(name) ? `input.${name}` : `input[${JSON.stringify(name)}]`
