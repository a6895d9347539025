/**
 * Takes the types out of a program, always: `f<number>(x)` is JavaScript too, with another meaning. Lines and columns
 * stay where they were. The parser is WebAssembly that is of no more use once its stack has overflowed, so it is loaded
 * anew then.
 */
import { createRequire } from 'node:module'

type Stripper = typeof import('@swc/wasm-typescript')

const PARSER = '@swc/wasm-typescript'
const require = createRequire(import.meta.url)
let stripper: Stripper | undefined

export type Stripped =
  | { readonly ok: true; readonly code: string }
  | { readonly ok: false; readonly message: string; readonly line?: number }

/** Loads the parser, so that the first program need not wait for it. */
export function loadStripper(): Stripper {
  return (stripper ??= require(PARSER) as Stripper)
}

export function stripTypes(code: string): Stripped {
  try {
    const { transformSync } = loadStripper()
    const options = { mode: 'strip-only', module: true, deprecatedTsModuleAsError: true } as const
    return { ok: true, code: transformSync(code, options).code }
  } catch (thrown) {
    const { code: kind, message, startLine } = (thrown ?? {}) as SwcError
    if (kind === 'InvalidSyntax' || kind === 'UnsupportedSyntax')
      return { ok: false, message: inWords(message ?? ''), line: startLine }
    dropStripper()
    return { ok: false, message: 'The code is nested too deeply to be read; split it up.' }
  }
}

/** It names what it met, which may be most of the code. */
const LONGEST_WORDS = 2_000

/** Whoever wrote the code does not know of modes; what has no types left over is what may be written. */
function inWords(message: string): string {
  const short = message.slice(0, LONGEST_WORDS)
  const plain = short.replace(/ in (?:strip-only|type strip) mode/, '').replace(/\.$/, '')
  return /\benum\b/.test(plain) ? `${plain}; use a plain object instead.` : `${plain}.`
}

interface SwcError {
  readonly code?: string
  readonly message?: string
  readonly startLine?: number
}

function dropStripper(): void {
  stripper = undefined
  delete require.cache[require.resolve(PARSER)]
}
