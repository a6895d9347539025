/** The names in a generated file, imported or declared, each unique. */
import { specifierOf } from './code-style.ts'
import { list, text as literal, END, type Code } from './code.ts'
import { identifierOf } from '../shape/identifier.ts'
import type { Definition, TypeName } from '../shape/shape.ts'
import type ts from 'typescript'

interface Imported {
  readonly name: string
  readonly local: string
  isValue: boolean
}

/** Names that generated files use themselves; a type of the same name is renamed. */
const OWN = [
  ...['tool', 'instance', 'context', 'input', 'ToolCallback', 'TypedJsonSchema'],
  ...['Same', 'Keys', 'AllTrue', 'ValueIn', 'KeyIn', 'ReadonlyMap', 'ReadonlySet', 'Parameters', 'Exclude', 'Extract', 'NonNullable', 'Partial', 'Record'], // prettier-ignore
  ...['Array', 'ArrayBuffer', 'BigInt', 'Buffer', 'Date', 'Map', 'Object', 'Set', 'URL', 'Uint8Array', 'atob', 'undefined'], // prettier-ignore
]

export class Names {
  readonly #source: ts.SourceFile
  readonly #options: ts.CompilerOptions
  readonly #taken = new Set<string>(OWN)
  readonly #modules = new Map<string, Map<string, Imported>>()
  readonly #definitions = new Map<Definition, string>()

  constructor(source: ts.SourceFile, options: ts.CompilerOptions) {
    this.#source = source
    this.#options = options
  }

  /** Returns a name that is not used yet. */
  claim(wanted: string): string {
    const free = identifierOf(wanted)
    let name = free
    for (let count = 2; this.#taken.has(name); count++) name = `${free}${count}`
    this.#taken.add(name)
    return name
  }

  isTaken(name: string): boolean {
    return this.#taken.has(name)
  }

  /** The name of a definition, the same wherever it is used. */
  definition(definition: Definition): string {
    const existing = this.#definitions.get(definition)
    if (existing !== undefined) return existing
    const taken = new Set(this.#definitions.values())
    let name = definition.name
    for (let count = 2; taken.has(name); count++) name = `${definition.name}${count}`
    this.#definitions.set(definition, name)
    return name
  }

  /** Imports a name and returns its local name. */
  use(type: TypeName, as: 'type' | 'value'): string {
    const specifier =
      'file' in type.from
        ? specifierOf(type.from.file, this.#source, this.#options)
        : type.from.specifier
    const module = this.#modules.get(specifier) ?? new Map<string, Imported>()
    this.#modules.set(specifier, module)
    const existing = module.get(type.name)
    const imported = existing ?? { name: type.name, local: this.claim(type.as ?? type.name), isValue: false } // prettier-ignore
    imported.isValue ||= as === 'value'
    module.set(type.name, imported)
    return imported.local
  }

  /** The imports that this text needs. */
  imports(text: string): readonly Code[] {
    const words = new Set(text.match(/[\p{ID_Continue}$]+/gu))
    return [...this.#modules].flatMap(([specifier, module]) => {
      const used = [...module.values()].filter(({ local }) => words.has(local))
      const all = used.sort((a, b) => (a.local < b.local ? -1 : 1))
      const statement = (names: readonly Imported[], word: string): Code[] =>
        names.length > 0
          ? [[word, list(['{', '}'], names.map(importCode)), ' from ', literal(specifier), END]]
          : []
      return [
        ...statement(all.filter(({ isValue }) => isValue), 'import '),
        ...statement(all.filter(({ isValue }) => !isValue), 'import type '),
      ] // prettier-ignore
    })
  }
}

const importCode = ({ name, local }: Imported): string =>
  name === local ? name : `${name} as ${local}`
