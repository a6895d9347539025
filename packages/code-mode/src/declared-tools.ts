/** The tools of programs as a model reads of them: declarations in its request, or what a search finds. */
import { ConfigurationError, type ToolCallback } from 'toolwright'
import type { CodeModeSettings } from './code-mode-options.ts'
import { declareTools } from './declare/declare-tools.ts'
import { hashOf } from './program/journal.ts'

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

  /** Named after the tools, because an index may be shared by programs that have others. */
  async #indexed(): Promise<string> {
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

const HOW_TO = `Runs a program that calls tools, and answers with what it returns. Use it where calls depend on each other, for many calls, and to join, filter or add up results; what the program does not return you do not have to read. For one or two calls whose results you want to read as they are, this is not needed.

The code is the body of an async function in TypeScript. Call tools with await tools.name(input); Promise.all runs calls side by side. A call that fails rejects with a ToolError { code, tool, message }; catch it if the program can go on without. A call that needs somebody's approval just takes longer. The clock stands still; there are no timers, no imports and no network. Return only what you need to know.`

const searchText = (count: number): string =>
  `There are ${count} tools, too many to list. A program finds them with await searchTools(query), which gives [{ name, declaration }], and calls them with await callTool(name, input). Search first, return the declarations, and write the next program with them.`
