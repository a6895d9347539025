/**
 * The same class, compiled in every way decorators are compiled: standard and `experimentalDecorators`,
 * by TypeScript and by esbuild. Its tools must not tell the difference.
 */
import { transformSync } from 'esbuild'
import * as toolwright from 'toolwright'
import { scriptedModel } from 'toolwright/testing'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import * as zod from 'zod'

const SOURCE = `
import { Tool } from 'toolwright'
import { z } from 'zod'

class Base {
  protected greeting = 'Hello'

  @Tool({ description: 'Greet somebody', input: z.object({ name: z.string() }) })
  greet({ name }: { name: string }): string {
    return this.greeting + ' ' + name
  }

  @Tool({ name: 'replaced' })
  part(): string {
    return 'Bye'
  }

  @Tool()
  private secret(): string {
    return 'secret of ' + this.greeting
  }
}

export class Greeter extends Base {
  protected greeting = 'Salut'
  static place = 'here'

  @Tool({ name: 'leave' })
  part(): string {
    return 'Adieu'
  }

  @Tool()
  static where(): string {
    return this.place
  }
}

export class OnlyStatic {
  @Tool()
  static ping(): string {
    return 'pong'
  }
}
`

const typescript = (experimentalDecorators: boolean) => (source: string) =>
  ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      experimentalDecorators,
    },
  }).outputText

const esbuild = (experimentalDecorators: boolean) => (source: string) =>
  transformSync(source, {
    loader: 'ts',
    format: 'cjs',
    target: 'node20',
    tsconfigRaw: { compilerOptions: { experimentalDecorators } },
  }).code

const STANDARD = { 'TypeScript, standard': typescript(false), 'esbuild, standard': esbuild(false) }
const LEGACY = {
  'TypeScript, experimentalDecorators': typescript(true),
  'esbuild, experimentalDecorators': esbuild(true),
}

type Exports = { readonly [name: string]: new () => object }

function run(code: string): Exports {
  const exports = {}
  const module = { exports }
  const load = (name: string): unknown => (name === 'zod' ? zod : toolwright)
  new Function('require', 'module', 'exports', code)(load, module, exports)
  return module.exports
}

/** What each tool that the model was offered answers. */
async function answers(source: toolwright.ToolSource): Promise<unknown> {
  const model = scriptedModel(['Done.'])
  await toolwright.ChatClient.create(model).prompt('Go').tools(source).call().content()
  const tools = model.prompts[0]!.options!.tools as readonly toolwright.ToolCallback[]
  const called = tools.map(async ({ definition: { name }, call }) => [
    name,
    await call(name === 'greet' ? '{"name":"Ada"}' : '{}'),
  ])
  return Object.fromEntries((await Promise.all(called)) as [string, string][])
}

describe.each(Object.entries({ ...STANDARD, ...LEGACY }))('%s', (_name, compile) => {
  const { Greeter, OnlyStatic } = run(compile(SOURCE))

  it('offers own, inherited, replaced, private and static tools of an instance', async () => {
    expect(await answers(new Greeter!())).toEqual({
      greet: 'Salut Ada',
      leave: 'Adieu',
      secret: 'secret of Salut',
      where: 'here',
    })
  })

  it('offers the static tools of a class, and of an instance that has no others', async () => {
    expect(await answers(Greeter!)).toEqual({ where: 'here' })
    expect(await answers(new OnlyStatic!())).toEqual({ ping: 'pong' })
  })
})

describe.each(Object.entries({ ...STANDARD, ...LEGACY }))('%s', (_name, compile) => {
  const defined = (members: string) =>
    run(compile(`import { Tool } from 'toolwright'\nexport class Tools { ${members} }`)).Tools!

  it('calls a method that only takes the context', async () => {
    const Tools = defined(
      `@Tool({ input: 'none' }) of(_input: object, { toolName }: any) { return 'of ' + toolName }`,
    )
    expect(await answers(new Tools())).toEqual({ of: 'of of' })
  })

  it('refuses parameters without a schema when the object is offered, not when it is defined', () => {
    for (const member of ['to(city: string) {}', 'to(city = 1) {}', 'to(...all: any[]) {}']) {
      const Tools = defined(`@Tool() ${member}`)
      expect(() => toolwright.toolsOf(new Tools())).toThrow('"to" takes parameters')
      const OnClass = defined(`@Tool() static ${member}`)
      expect(() => toolwright.toolsOf(OnClass)).toThrow('"to" takes parameters')
    }
  })

  it('says that it is written with parentheses', () => {
    for (const member of ['@Tool bare() {}', '@Tool static bare() {}'])
      expect(() => defined(member)).toThrow('@Tool is written with parentheses: @Tool().')
  })
})

describe.each(Object.entries(STANDARD))('%s', (_name, compile) => {
  it('reaches #private methods', async () => {
    const { Vault } = run(
      compile(`
        import { Tool } from 'toolwright'
        export class Vault {
          #code = 1234
          @Tool() #open() { return 'opened with ' + this.#code }
          @Tool() static #find() { return 'in the ' + this.place }
          static place = 'cellar'
        }
      `),
    )
    expect(await answers(new Vault!())).toEqual({
      open: 'opened with 1234',
      find: 'in the cellar',
    })
  })
})

describe.each(Object.entries(LEGACY))('%s', (_name, compile) => {
  const defining = (member: string) => () =>
    run(compile(`import { Tool } from 'toolwright'\nexport class Wrong { ${member} }`))

  it('refuses what is no method, and a name that is none', () => {
    expect(defining('@Tool() size = 1')).toThrow(
      '@Tool() stands on "size", no method; it makes tools of methods.',
    )
    expect(defining('@Tool() get size() { return 1 }')).toThrow(
      '@Tool() stands on "size", no method',
    )
    expect(defining('@Tool() [Symbol.iterator]() {}')).toThrow('not Symbol(Symbol.iterator).')
    expect(defining('run(@Tool() input: string) {}')).toThrow('@Tool() stands on "run", no method')
  })

  it('refuses a class', () => {
    const decorated = () =>
      run(compile(`import { Tool } from 'toolwright'\n@Tool() class Wrong {}`))
    expect(decorated).toThrow('@Tool() stands on a class; it makes tools of methods.')
  })
})
