/** The tools of programs as a model reads of them: declarations in its request, or what a search finds. */
import { ConfigurationError, type ToolCallback } from 'toolwright'
import type { CodeModeSettings } from './code-mode-options.ts'
import { declareTools } from './declare/declare-tools.ts'
import { hashOf } from './hash-of.ts'

const MOST_FOUND = 10

export class DeclaredTools {
  readonly tools: readonly ToolCallback[]
  readonly names: readonly string[]
  readonly description: string
  readonly #settings: CodeModeSettings
  /** The session under which the index knows the tools. Made with the first search. */
  #session: Promise<string> | undefined

  constructor(settings: CodeModeSettings, tools: readonly ToolCallback[]) {
    this.#settings = settings
    this.tools = tools
    this.names = tools.map(({ definition }) => definition.name)
    this.description = this.#describe()
  }

  isOf(tools: readonly ToolCallback[]): boolean {
    return tools.length === this.tools.length && tools.every((each, i) => each === this.tools[i])
  }

  /** `asked`: the query as JSON. Answers with declarations as data. */
  async search(asked: string): Promise<string> {
    const { search } = this.#settings
    const query: unknown = JSON.parse(asked)
    if (typeof query !== 'string' || !search) return '[]'
    const session = await (this.#session ??= this.#indexed())
    const { references } = await search.search({ session, query, maxResults: MOST_FOUND })
    const found = references.flatMap(({ name }) => {
      const known = this.tools.find(({ definition }) => definition.name === name)
      return known ? [{ name, declaration: declareTools([known.definition]).text }] : []
    })
    return JSON.stringify(found)
  }

  /** One that failed is tried again by the next search. */
  #indexed(): Promise<string> {
    const indexing = this.#index()
    indexing.catch(() => (this.#session = undefined))
    return indexing
  }

  /** Named after the tools, because an index may be shared by programs that have others. */
  async #index(): Promise<string> {
    const references = this.tools.map(({ definition }) => definition)
    const session = `code-mode ${hashOf(JSON.stringify(references))}`
    await this.#settings.search!.index(session, references)
    return session
  }

  #describe(): string {
    const { description, declarationTokens, search, name } = this.#settings
    const { text, tokens } = declareTools(this.tools.map(({ definition }) => definition))
    const about = description ?? HOW_TO
    if (tokens <= declarationTokens) return `${about}\n\n${text}`
    if (!search)
      throw new ConfigurationError(
        'invalid-option',
        `codeMode(): the declarations of the ${this.tools.length} tools of ${name} take about ${tokens} tokens, and declarationTokens is ${declarationTokens}. Give search, e.g. keywordToolIndex() of toolwright/tool-search, or a larger declarationTokens.`,
      )
    return `${about}\n\n${searchText(this.tools.length)}`
  }
}

/** Short, because every request has it. */
const HOW_TO = `Runs a program that calls tools; you read only what it returns. Use it for calls that depend on each other, for many calls, and to join, filter or add up results; not for one or two calls whose results you want to read.

The code is the body of an async function in TypeScript: await tools.name(input), and Promise.all for calls side by side. A call that fails rejects with a ToolError { code, tool, message }. One that needs approval just takes longer. The clock stands still; no timers, imports, network, Intl, URL, structuredClone or TextEncoder. Return only what you need.`

const searchText = (count: number): string =>
  `There are ${count} tools, too many to list. A program finds them with await searchTools(query), which gives [{ name, declaration }], and calls them with await callTool(name, input). Search first, return the declarations, and write the next program with them.`
