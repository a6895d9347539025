/**
 * `codeMode()`: a tool by which a model runs programs that call tools. Each call of a program takes the walk of a
 * model's own calls; what needs a decision suspends the run, and the program goes on where it was.
 */
import {
  allToolsOf,
  tool,
  toolRunOf,
  type Json,
  type ToolCallback,
  type ToolCallbackProvider,
  type ToolContext,
  type ToolListing,
  type ToolRun,
} from 'toolwright'
import {
  codeModeSettings,
  type CodeModeOptions,
  type CodeModeSettings,
} from './code-mode-options.ts'
import { DeclaredTools } from './declared-tools.ts'
import { bringBack, diverged, type ProgramPlace } from './program/bring-back.ts'
import { BroughtPrograms } from './program/brought-programs.ts'
import { driveProgram } from './program/drive-program.ts'
import { hashOf } from './hash-of.ts'
import { readJournal, type ProgramJournal } from './program/journal.ts'
import { ProgramCourse, type CourseStart } from './program/program-course.ts'
import { codeTooLong } from './program/program-faults.ts'
import { programResult, type ProgramResult } from './program/program-result.ts'

/**
 * A source of one tool, `runProgram`.
 *
 * @example
 * const client = ChatClient.create(model, { tools: [codeMode({ tools: [expenses, payroll] }), sendReport] })
 */
export function codeMode(options: CodeModeOptions): ToolCallbackProvider {
  return new CodeMode(codeModeSettings(options))
}

class CodeMode implements ToolCallbackProvider {
  readonly #settings: CodeModeSettings
  readonly #brought = new BroughtPrograms()
  #declared: DeclaredTools | undefined

  constructor(settings: CodeModeSettings) {
    this.#settings = settings
  }

  async toolCallbacks(listing?: ToolListing): Promise<readonly ToolCallback[]> {
    const tools = await allToolsOf(this.#settings.tools, listing)
    if (!this.#declared?.isOf(tools)) this.#declared = new DeclaredTools(this.#settings, tools)
    return [this.#runProgram(this.#declared)]
  }

  #runProgram(declared: DeclaredTools): ToolCallback {
    const { name, approval } = this.#settings
    return tool({
      name,
      description: declared.description,
      input: INPUT,
      composite: {
        tools: declared.tools,
        // It lists all tools, and those that the program has called are sealed by themselves.
        sealedDescription: '',
        reopen: (input, journal) => this.#reopen(declared, programIn(input), journal),
      },
      ...(approval !== undefined && { approval: approval as never }),
      execute: (input, context) => this.#execute(declared, programIn(input), context),
    })
  }

  async #execute(
    declared: DeclaredTools,
    code: string,
    context: ToolContext,
  ): Promise<ProgramResult> {
    const { limits } = this.#settings
    const { toolName, callId } = context
    const of = { toolName, callId }
    const run = toolRunOf(context)
    // One that waited began under other limits perhaps, and goes on under those.
    if (run.journal === undefined && new TextEncoder().encode(code).length > limits.codeBytes)
      throw codeTooLong({ ...of, console: [], notes: [], unhandled: [] }, limits.codeBytes)
    const { signal } = context
    const course = await this.#course(code, run)
    const { names: toolNames } = declared
    const { journal } = run
    const brought =
      journal === undefined ? undefined : this.#brought.take({ code, toolNames, journal })
    if (brought) signal.addEventListener('abort', () => brought.open.dispose(), { once: true })
    const outcome = await driveProgram({
      run,
      of,
      place: this.#place(declared, signal),
      course,
      brought,
      search: (query) => declared.search(query),
      tell: ({ level, text }) => context.progress({ console: level, text }),
    })
    return programResult(outcome)
  }

  #place({ names }: DeclaredTools, signal?: AbortSignal): ProgramPlace {
    const { sandbox, search } = this.#settings
    return { sandbox, toolNames: names, hasSearch: search !== undefined, signal }
  }

  async #course(code: string, run: ToolRun): Promise<ProgramCourse> {
    const { sandbox, clock, random, limits } = this.#settings
    if (run.journal !== undefined) return this.#courseOf(code, run.journal)
    const { now, seed } = await run.step('program', async () => ({
      now: Math.floor(clock.now()),
      seed: Math.floor(random.next() * 2 ** 32),
    }))
    const { codeBytes: _code, journalBytes, ...ofSandbox } = limits
    const { engine } = sandbox
    return new ProgramCourse({ engine, code, clock: now, seed, limits: ofSandbox, journalBytes })
  }

  /** Of a program that waited. Its limits are those it began with: a program can observe them. */
  #courseOf(code: string, kept: Json): ProgramCourse {
    const { sandbox, limits } = this.#settings
    const journal = readJournal(kept)
    if (!journal) throw diverged('another version kept it')
    if (journal.code !== hashOf(code)) throw diverged('its code is another')
    if (journal.engine !== sandbox.engine)
      throw diverged(`it ran on ${journal.engine}, and now there is ${sandbox.engine}`)
    // One that was raised helps it; one that was lowered must not end what it allowed before.
    const journalBytes = Math.max(limits.journalBytes, journal.journalBytes ?? 0)
    return new ProgramCourse({ ...startOf(journal, code), journalBytes }, journal)
  }

  /** Before a resume uses its state up: the program must come to where it waited. */
  async #reopen(declared: DeclaredTools, code: string, journal: Json): Promise<void> {
    const course = this.#courseOf(code, journal)
    const waiting = { code, toolNames: declared.names, journal }
    if (this.#brought.keepOn(waiting)) return
    const known = course.length
    const brought = await bringBack(this.#place(declared), course)
    if (!brought) return
    if (course.length === known) return this.#brought.keep(waiting, brought)
    brought.open.dispose()
    throw diverged(`it made ${course.length} of ${known} calls`)
  }
}

const startOf = (
  { engine, clock, seed, limits }: ProgramJournal,
  code: string,
): Omit<CourseStart, 'journalBytes'> => ({
  engine,
  code,
  clock,
  seed,
  limits,
})

/** Models like to put code between fences. Its lines keep their numbers. */
function programIn(input: unknown): string {
  const { code } = input as { readonly code: string }
  const [, before, body] = /^(\s*)```\w*[ \t]*(\r?\n[^]*?)(?:\r?\n)?```\s*$/.exec(code) ?? []
  return body === undefined ? code : before + body
}

const INPUT = {
  type: 'object',
  properties: {
    code: {
      type: 'string',
      description:
        'The body of an async function, in TypeScript; it returns what you want to read.',
    },
  },
  required: ['code'],
} as const
