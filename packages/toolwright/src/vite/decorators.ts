/**
 * A Vite plugin for standard decorators: Vite leaves them in the code, and no engine runs them yet. The
 * plugin runs after Vite's own TypeScript step, so that esbuild rewrites only the decorators.
 */
import { ConfigurationError } from '../errors/errors.ts'

/** The part of Vite's plugin contract that this plugin implements. Vite 5 and later accept it. */
export interface DecoratorsPlugin {
  readonly name: string
  transform(code: string, id: string): Promise<{ code: string; map: string } | undefined>
}

const SCRIPT = /\.[cm]?[jt]sx?(?:$|\?)/
/**
 * Matches too much rather than too little: transforming a file without decorators only costs a millisecond.
 * Tags in comments do not match.
 */
const DECORATOR = /(?<!\w|\*[ \t]*|\/\/[ \t]*)@[\p{ID_Start}$_([]/u

/**
 * Lets Vite and Vitest run standard decorators such as `@Tool()`. Needs esbuild, which Vite brings up to
 * version 7 and is installed beside it from 8 on. Not for projects with `experimentalDecorators`: Vite
 * handles those itself.
 *
 * @example
 * // vite.config.ts
 * export default defineConfig({ plugins: [decorators()] })
 */
export function decorators(): DecoratorsPlugin {
  return {
    name: 'toolwright:decorators',
    async transform(code, id) {
      if (!SCRIPT.test(id) || id.includes('/node_modules/') || !DECORATOR.test(code)) return
      const { transform } = await esbuild()
      const rewritten = await transform(code, {
        loader: /x(?:$|\?)/.test(id) ? 'jsx' : 'js',
        jsx: 'preserve',
        sourcefile: id,
        sourcemap: 'external',
        target: 'esnext',
        supported: { decorators: false },
        keepNames: true,
      })
      return { code: rewritten.code, map: rewritten.map }
    },
  }
}

async function esbuild() {
  try {
    return await import('esbuild')
  } catch (cause) {
    throw new ConfigurationError(
      'invalid-option',
      'decorators() of toolwright/vite needs esbuild: npm install --save-dev esbuild.',
      { cause },
    )
  }
}
