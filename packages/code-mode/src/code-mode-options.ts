/** What `codeMode()` takes, checked and filled in once. */
import { ConfigurationError, type ToolContext, type ToolSource } from 'toolwright'
import type { ToolIndex } from 'toolwright/tool-search'
import { wrongLimit } from './sandbox/quickjs/check-program.ts'
import { quickJsSandbox } from './sandbox/quickjs/quickjs-sandbox.ts'
import type { Sandbox, SandboxLimits } from './sandbox/sandbox.ts'

/** What the model gives: a program. */
export interface ProgramInput {
  /** The body of an async function, in TypeScript or JavaScript. */
  readonly code: string
}

export interface ProgramLimits extends SandboxLimits {
  /** The longest program, in UTF-8 bytes. Default 64 KiB. */
  readonly codeBytes: number
  /**
   * How much the results of a program's calls may be in all, in characters of JSON and 32 more for each call: they are
   * kept in the run's state while one of its calls waits for a decision. Default 4 MiB.
   */
  readonly journalBytes: number
}

export interface CodeModeOptions {
  /** What programs can call, and nobody else: list a tool outside too if the model shall also call it directly. */
  readonly tools: ToolSource
  /** What the model calls to run a program. Default `runProgram`. */
  readonly name?: string
  /** What the model reads before the declarations of the tools. Default: how programs are written. */
  readonly description?: string
  /** `true`, or a predicate: somebody reviews the program before it runs. Its calls are permitted one by one in any case. */
  readonly approval?:
    boolean | ((input: ProgramInput, context: ToolContext) => boolean | Promise<boolean>)
  /** Where programs find tools with `searchTools(query)`. Needed if the declarations are more than `declarationTokens`. */
  readonly search?: ToolIndex
  /** How much of the request the declarations of the tools may take, in tokens of four characters. Default 2,000. */
  readonly declarationTokens?: number
  /** Where programs run. Default: one `quickJsSandbox({ warm: 1 })` for the whole process. */
  readonly sandbox?: Sandbox
  /** A partial object keeps the other defaults. */
  readonly limits?: Partial<ProgramLimits>
  /** What programs take for the time, in ms since 1970; it is recorded and stands still. Default: that of the system. */
  readonly clock?: { now(): number }
  /** Where a program's `Math.random()` begins, a number from 0 up to 1; it is recorded. Default: that of the system. */
  readonly random?: { next(): number }
}

export interface CodeModeSettings {
  readonly tools: ToolSource
  readonly name: string
  readonly description: string | undefined
  readonly approval: CodeModeOptions['approval']
  readonly search: ToolIndex | undefined
  readonly declarationTokens: number
  readonly sandbox: Sandbox
  readonly limits: ProgramLimits
  readonly clock: { now(): number }
  readonly random: { next(): number }
}

const KIB = 1024
const MIB = 1024 * KIB

const DEFAULT_LIMITS: ProgramLimits = Object.freeze({
  codeBytes: 64 * KIB,
  fuel: 20_000,
  turnMs: 2_000,
  memoryBytes: 32 * MIB,
  stackBytes: 256 * KIB,
  openCalls: 256,
  valueBytes: MIB,
  journalBytes: 4 * MIB,
  consoleBytes: 16 * KIB,
})

const OPTIONS = [
  'tools',
  'name',
  'description',
  'approval',
  'search',
  'declarationTokens',
  'sandbox',
  'limits',
  'clock',
  'random',
]

export function codeModeSettings(options: CodeModeOptions): CodeModeSettings {
  if (typeof options !== 'object' || options === null)
    throw invalid('it takes an object with tools')
  refuseUnknown('codeMode()', Object.keys(options), OPTIONS)
  const { tools, name = 'runProgram', description, declarationTokens = 2_000 } = options
  const { approval, search, sandbox } = options
  if (typeof tools !== 'object' || tools === null) throw invalid('tools takes what .tools() takes')
  if (typeof name !== 'string' || name === '') throw invalid('name takes a text')
  if (description !== undefined && typeof description !== 'string')
    throw invalid('description takes a text')
  if (approval !== undefined && typeof approval !== 'boolean' && typeof approval !== 'function')
    throw invalid('approval takes true, false or a function')
  if (search !== undefined && typeof search.search !== 'function')
    throw invalid('search takes a ToolIndex, e.g. keywordToolIndex()')
  if (sandbox !== undefined && typeof sandbox.open !== 'function')
    throw invalid('sandbox takes a Sandbox, e.g. quickJsSandbox()')
  if (!isCount(declarationTokens)) throw invalid('declarationTokens takes a whole number from 1')
  return {
    tools,
    name,
    description,
    approval,
    search,
    declarationTokens,
    sandbox: sandbox ?? sharedSandbox(),
    limits: programLimits(options.limits),
    clock: options.clock ?? { now: () => Date.now() },
    random: options.random ?? { next: () => Math.random() },
  }
}

function programLimits(given: Partial<ProgramLimits> = {}): ProgramLimits {
  refuseUnknown('codeMode({ limits })', Object.keys(given), Object.keys(DEFAULT_LIMITS))
  const known = Object.entries(given).filter(([, value]) => value !== undefined)
  for (const [name, value] of known) {
    const wrong = wrongLimit(name, value)
    if (wrong) throw invalid(wrong)
  }
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(known) }
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 1

function refuseUnknown(where: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new ConfigurationError(
      'unknown-option',
      `${where} has no option "${unknown}"; it has ${known.join(', ')}.`,
    )
}

const invalid = (what: string): ConfigurationError =>
  new ConfigurationError('invalid-option', `codeMode(): ${what}.`)

let shared: Sandbox | undefined

/** One for all: its threads wait for the programs of every client of the process. */
const sharedSandbox = (): Sandbox => (shared ??= quickJsSandbox({ warm: 1 }))
