/**
 * The port behind which a program runs: code that somebody else wrote, most often a model. A sandbox knows no tools. It
 * says which calls a program made, takes what came of them, and runs the program on until it is quiet, meaning that
 * nothing more can happen in it before the next result. Whoever drives it runs the calls, keeps the order of the
 * results and replays it: the same code, clock, seed, limits and deliveries give the same calls on the same engine.
 *
 * The code is the body of an async function, in TypeScript; its types are stripped always. It sees `tools.name(input)`,
 * `tools['odd-name'](input)`, `callTool(name, input)`, `console`, `ToolError` and, where there is a search,
 * `searchTools(query)`. The clock stands still, chance is seeded, the zone is UTC. There are no timers, no network, no
 * imports, no `eval`, no `Function()`, no weak references and no shared memory.
 */

/** Runs programs. One sandbox serves many programs at the same time. */
export interface Sandbox {
  /**
   * The engine with its exact version, e.g. `quickjs-wasi 3.6.2`. A program that is replayed on another engine may take
   * another way, so whoever keeps a program keeps this with it.
   */
  readonly engine: string
  /**
   * Takes a place for a program. It resolves when the place is ready; nothing of the program has run or been read yet.
   * It rejects with the reason of `program.signal` when that is aborted, and with a `ConfigurationError` when the
   * program's limits are wrong or the sandbox is closed.
   */
  open(program: Program): Promise<OpenProgram>
  /** Ends every program, open ones as `lost`, and frees everything. A second time it does nothing. */
  close(): Promise<void>
}

/** What a program is, and all that its course depends on besides the deliveries. */
export interface Program {
  /** The body of an async function: TypeScript or JavaScript. */
  readonly code: string
  /** What `Date.now()` answers, in ms since 1970; it does not move. */
  readonly clock: number
  /** Where `Math.random()` begins: a whole number from 0 to 2⁵³ - 1. */
  readonly seed: number
  /** The names that `tools` lists. Others can be called too: whoever drives the program answers `unknown-tool`. */
  readonly toolNames: readonly string[]
  /** Whether there is a `searchTools`. */
  readonly hasSearch: boolean
  readonly limits: SandboxLimits
  /** Aborted, the program is dropped as by `dispose`, and what is being waited for rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** What a program may use up. Its memory and stack limits are part of what it can observe. */
export interface SandboxLimits {
  /**
   * How much it may compute in all its turns together, counted by the engine in the same way in every run. Past it the
   * program ends with `fuel`; it cannot catch that.
   */
  readonly fuel: number
  /**
   * How long one turn may take, in ms, from when it is really begun. Past it the program ends with `time`, uncatchably. A
   * sandbox that has just been started, and computes more slowly, may give more.
   */
  readonly turnMs: number
  /** The memory of the program's heap, in bytes. Past it allocations throw, which a program can catch. */
  readonly memoryBytes: number
  /** The stack of the program, in bytes. Past it calls throw, which a program can catch. A sandbox may cap it. */
  readonly stackBytes: number
  /** How many calls may wait for their results at the same time. One more rejects with a `ToolError` of code `limit`. */
  readonly openCalls: number
  /**
   * The longest JSON text that passes in either direction, in UTF-8 bytes: the input of a call (it rejects with
   * `limit`), the result of a call (it is delivered as a rejection with `limit`), what the program returns (it ends
   * with `value`).
   */
  readonly valueBytes: number
  /**
   * What the program may write to its console in all, in UTF-8 bytes. The line that is too much is cut to what fits, and
   * a last one says that the rest was left out.
   */
  readonly consoleBytes: number
}

/** A program in its place. One turn at a time: `start` first, then deliveries. */
export interface OpenProgram {
  /** Reads the code and runs it until it is quiet. */
  start(): Promise<Turn>
  /**
   * Settles calls, in this order; after each the program runs until it is quiet, so that there is a turn for each
   * delivery. Later ones may be for calls that the earlier ones lead to, so that a whole course is had again at once.
   * There are fewer turns when one had a final end, or when a call was not made: what was left is not delivered. It is
   * also possible after the program's own promise has settled, because calls may still be open then. If the first one is
   * for a call that is not open, or two are for the same, it rejects with a `ConfigurationError`, and nothing was
   * delivered.
   */
  deliver(deliveries: readonly Delivery[]): Promise<readonly Turn[]>
  /** Drops the program at once, whatever it is doing; what was being waited for ends as `lost`. Always possible. */
  dispose(): void
}

/** What came of a call. */
export type Delivery =
  | {
      /** The number of the call. */
      readonly index: number
      readonly ok: true
      /** The result as JSON text. Absent: `undefined`. */
      readonly json?: string
    }
  | {
      readonly index: number
      readonly ok: false
      /** Becomes the `ToolError` that the call rejects with, with the stack of the call. */
      readonly error: ToolErrorFacts
    }

/** What a program reads of a call that failed. */
export interface ToolErrorFacts {
  /** Why, in one word: `unknown-tool`, `invalid-arguments`, `limit`, `denied`, `failed`, `timeout`, `output`. */
  readonly code: string
  /** The name of the tool. */
  readonly tool: string
  readonly message: string
}

/** What happened until the program was quiet again. */
export interface Turn {
  /** New calls, in the order in which the program made them. */
  readonly calls: readonly ProgramCall[]
  /** New lines of the console, in order. */
  readonly console: readonly ConsoleLine[]
  /** Engine polls so far, in all turns: the part of `limits.fuel` that is used up. */
  readonly fuel: number
  /**
   * The turn in which the program ended: its own promise settled, or it was stopped. After `fuel`, `time`, `lost` and
   * `broken` nothing can be delivered any more; such an end may also follow the program's own, while calls are open.
   */
  readonly end?: ProgramEnd
  /**
   * From the program's own end on, and when no call is open: rejections that no code has handled so far, at most 20. The
   * list of the last turn is the one that counts, because code may still handle earlier ones.
   */
  readonly unhandled?: readonly ProgramError[]
}

/** A call that a program made. */
export interface ProgramCall {
  /** 0 for the program's first call, then one more for each. */
  readonly index: number
  /** `search` for `searchTools(query)`, whose arguments are the query as a JSON string. */
  readonly kind: 'tool' | 'search'
  /** The name of the tool as the program wrote it; nobody has looked yet whether there is one. */
  readonly name: string
  /** The input as JSON text. */
  readonly arguments: string
  /** The line of the code that made the call, from 1. Absent where the stack does not tell. */
  readonly line?: number
}

export interface ConsoleLine {
  readonly level: 'log' | 'info' | 'debug' | 'warn' | 'error'
  readonly text: string
}

/** How a program ended. */
export type ProgramEnd =
  | {
      readonly ok: true
      /** What the program returned, as JSON text. Absent: `undefined`. */
      readonly json?: string
    }
  | { readonly ok: false; readonly kind: ProgramFault; readonly error: ProgramError }

/**
 * Why a program failed: it threw (`thrown`), cannot be read (`syntax`), returned what is no JSON or too much of it
 * (`value`), or threw for want of memory or stack (`memory`, `stack`). Final are: `fuel` and `time`, where it computed
 * too much; `lost`, where its place is gone for no fault of its own, so that it can be replayed in another; `broken`,
 * where what came out of the sandbox was not sound.
 */
export type ProgramFault =
  'thrown' | 'syntax' | 'value' | 'memory' | 'stack' | 'fuel' | 'time' | 'lost' | 'broken'

/** An error of a program, in words for whoever wrote it. */
export interface ProgramError {
  /** e.g. `TypeError`. */
  readonly name: string
  readonly message: string
  /** The line of the code, from 1. Absent where it is not known. */
  readonly line?: number
}
