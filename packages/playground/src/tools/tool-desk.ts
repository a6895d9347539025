/** The tools as the page lists them, and as runs are given them. */
import { ToolwrightError, type ToolCallback, type ToolSource } from 'toolwright'
import { toolTokens } from 'toolwright/tool-search'
import type { LintFinding, PlaygroundOptions, PlaygroundTools } from '../playground-options.ts'
import type { ShownTool, ToolFinding, ToolList } from '../protocol/shown-tool.ts'
import { wordsOf, type Warn } from '../server/answer-error.ts'
import { Refusal } from '../server/refusal.ts'

export interface ToolDeskOptions extends Pick<PlaygroundOptions, 'lint'> {
  readonly tools: PlaygroundTools
  readonly warn: Warn
  /** Hears of each change. */
  onChange(revision: number): void
}

export class ToolDesk {
  readonly #options: ToolDeskOptions
  readonly #leave: () => void
  #revision = 1
  #linted: Linted | undefined

  constructor(options: ToolDeskOptions) {
    this.#options = options
    this.#leave = options.tools.onChange(() => options.onChange(++this.#revision))
  }

  get revision(): number {
    return this.#revision
  }

  get sources(): readonly string[] {
    return this.#options.tools.sources
  }

  /** What a run is given. */
  runSources(): readonly ToolSource[] {
    return this.#options.tools.runSources()
  }

  async callbacks(): Promise<readonly ToolCallback[]> {
    return (await this.#options.tools.list()).map(({ callback }) => callback)
  }

  async named(name: string): Promise<ToolCallback> {
    const found = (await this.callbacks()).find(({ definition }) => definition.name === name)
    if (found) return found
    throw new Refusal(404, 'unknown-tool', {
      message: `There is no tool "${name.slice(0, 80)}" any more. Load the tools again.`,
    })
  }

  async list(): Promise<ToolList> {
    const { tools } = this.#options
    const revision = this.#revision
    const offered = await tools.list()
    const callbacks = offered.map(({ callback }) => callback)
    const found = await this.#lint(callbacks)
    const about = (name?: string): readonly ToolFinding[] =>
      found
        .filter(({ tool }) => tool === name)
        .map(({ rule, message, fix }) => ({ rule, message, fix }))
    return {
      revision,
      tools: offered.map(({ callback, source }) => ({
        ...shownTool(callback),
        source,
        findings: about(callback.definition.name),
      })),
      findings: about(),
      tokens: toolTokens(callbacks.map(({ definition }) => definition)),
      ...(tools.problem !== undefined && { problem: tools.problem }),
      quarantined: tools.quarantined,
    }
  }

  close(): void {
    this.#leave()
  }

  /** Once for the same tools. A lint that fails costs its findings, not the list. */
  async #lint(tools: readonly ToolCallback[]): Promise<readonly LintFinding[]> {
    const { lint, warn } = this.#options
    if (!lint) return []
    const before = this.#linted
    if (
      before?.tools.length === tools.length &&
      tools.every((tool, at) => tool === before.tools[at])
    )
      return before.findings
    const findings = lint(tools).catch((thrown: unknown) => {
      warn(
        `The tools were not looked at: ${ToolwrightError.is(thrown) ? thrown.message : wordsOf(thrown)}`,
      )
      return []
    })
    this.#linted = { tools, findings }
    return findings
  }
}

interface Linted {
  readonly tools: readonly ToolCallback[]
  readonly findings: Promise<readonly LintFinding[]>
}

function shownTool({ definition, metadata }: ToolCallback): Omit<ShownTool, 'source' | 'findings'> {
  const { name, title, description, inputSchema, outputSchema, inputExamples = [] } = definition
  const { hints = {}, effect = 'once', suppliedResult, returnDirect } = metadata ?? {}
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema,
    ...(outputSchema && { outputSchema }),
    inputExamples,
    hints,
    effect,
    asks: asksOf(metadata),
    isSupplied: suppliedResult === true,
    returnDirect: returnDirect === true,
    tokens: toolTokens([definition]),
  }
}

function asksOf(metadata: ToolCallback['metadata'] | undefined): ShownTool['asks'] {
  const { hints, approval } = metadata ?? {}
  if (hints?.destructive || approval === true) return 'always'
  return typeof approval === 'function' ? 'maybe' : 'never'
}
