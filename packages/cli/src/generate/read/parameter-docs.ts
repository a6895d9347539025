/** The `@param` texts of a tool, and which of them were used: one that was not is reported. */
import type ts from 'typescript'
import { paramDocs, type Doc } from './doc-comment.ts'
import type { Problems } from './problems.ts'

export class ParameterDocs {
  readonly #docs: ReadonlyMap<string, Doc>
  readonly #used = new Set<string>()
  readonly #problems: Problems

  constructor(doc: Doc, problems: Problems) {
    this.#docs = paramDocs(doc)
    this.#problems = problems
  }

  get names(): readonly string[] {
    return [...this.#docs.keys()]
  }

  /** The text for a parameter, or by a dotted name for a property of one. */
  take(name: string): Doc | undefined {
    this.#used.add(name)
    return this.#docs.get(name)
  }

  nodeOf(name: string): ts.Node | undefined {
    return this.#docs.get(name)?.node
  }

  hasInside(name: string): boolean {
    return this.names.some((other) => other.startsWith(`${name}.`))
  }

  /** The names before the first dot, other than these. */
  rootsBesides(known: readonly string[]): readonly string[] {
    const roots = this.names.map((name) => name.split(/[.[]/)[0]!)
    return [...new Set(roots)].filter((name) => !known.includes(name))
  }

  /** Texts for the inside of a parameter that describe nothing the model sees. */
  warnOfUnused(): void {
    for (const [name, { node }] of this.#docs)
      if (/[.[]/.test(name) && !this.#used.has(name) && node)
        this.#problems.warn(node, {
          message: `@param ${name} is not used: no property that it could describe was found there.`,
          fix: 'Correct the name, or put the comment on the property in its type.',
        })
  }
}
