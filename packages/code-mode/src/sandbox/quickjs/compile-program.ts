/**
 * A program's code to bytecode. An engine of its own compiles, because the one that runs the program has no `eval`
 * at all. The wrapper holds the body in a block with a label that nobody can guess, and leaves the block by its name: a
 * body that closes the block and opens another is no sound code then, whatever it does with its braces.
 */
import { CompileFlags, EvalFlags, QuickJS, type JSException } from 'quickjs-wasi'
import { lineIn, linesOf, PROGRAM_FILE } from './stack-line.ts'
import { stripTypes } from './strip-types.ts'
import type { EngineModule } from './wire.ts'

export type Compiled =
  | { readonly ok: true; readonly bytecode: Uint8Array }
  | { readonly ok: false; readonly message: string; readonly line?: number }

const COMPILER_BYTES = 128 * 1024 * 1024

export class Compiler {
  readonly #wasm: EngineModule
  #engine: QuickJS | undefined

  constructor(wasm: EngineModule) {
    this.#wasm = wasm
  }

  async program(code: string): Promise<Compiled> {
    const lines = linesOf(code)
    const stripped = stripTypes(wrapped(code))
    if (!stripped.ok) return refused(stripped, lines)
    const engine = await this.#open()
    try {
      return { ok: true, bytecode: compile(engine, stripped.code, PROGRAM_FILE) }
    } catch {
      this.#engine = undefined
      return refused(whyNot(engine, stripped.code), lines)
    }
  }

  /** Code of our own. */
  async prelude(code: string, file: string): Promise<Uint8Array> {
    return compile(await this.#open(), code, file)
  }

  /** Lets V8 notice that the engine's code is used, so that it makes a faster one in the background. */
  async heat(): Promise<void> {
    ;(await this.#open()).evalCode('for (let i = 0; i < 1e5; i++);').dispose()
  }

  async #open(): Promise<QuickJS> {
    return (this.#engine ??= await QuickJS.create({
      wasm: this.#wasm,
      memoryLimit: COMPILER_BYTES,
      maxStackSize: 256 * 1024,
    }))
  }
}

const compile = (engine: QuickJS, code: string, file: string): Uint8Array =>
  engine.compile(code, file, EvalFlags.STRICT, CompileFlags.STRIP_SOURCE)

/**
 * The code begins in the first line, so that its lines are those of stack traces, which programs can read. Columns of that
 * line are too high for it, which misleads less than a wrong line.
 */
function wrapped(code: string): string {
  const label = `program_${crypto.randomUUID().replaceAll('-', '')}`
  return `(async function () { ${label}: { ${code}\nbreak ${label} } })`
}

/** The engine says where it stumbled only when it evaluates. */
function whyNot(engine: QuickJS, code: string): Fault {
  try {
    engine.evalCode(code, PROGRAM_FILE, EvalFlags.STRICT | EvalFlags.COMPILE_ONLY)
  } catch (thrown) {
    const { name, message, stack } = thrown as JSException
    if (name === 'SyntaxError') return { message, line: lineIn(stack ?? '') }
  }
  return { message: 'The code is nested too deeply or too large to be read; split it up.' }
}

interface Fault {
  readonly message: string
  readonly line?: number
}

const UNBALANCED =
  'The code ends in the midst of something, or its braces, brackets or quotes do not match.'

/** In words of the reader of types, and of the engine. */
const MODULE_ONLY = /'import',? and 'export' cannot be used|import declaration|import\.meta/i
const NO_IMPORTS =
  'A program has no imports and exports: its tools are global, as in await tools.name(input), and there are no modules.'

/** A fault behind the last line was found in the wrapper, of which the reader knows nothing. */
function refused({ message: said, line }: Fault, lines: number): Compiled {
  const message = MODULE_ONLY.test(said) ? NO_IMPORTS : said
  if (line === undefined || line < 1) return { ok: false, message }
  if (line <= lines) return { ok: false, message, line }
  return { ok: false, message: UNBALANCED, line: lines }
}
