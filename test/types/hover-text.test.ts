/** Every option that a program can give has words that an editor shows. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, describe, expect, it } from 'vitest'
import { DOOR_SOURCES } from '../../scripts/doors/door-sources.ts'
import { sharingHost } from '../../scripts/sharing-host.ts'
import { programFolder } from './diagnostics-of.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What types of options are called here. `RunSettings` and the like are what they become. */
const OPTIONS =
  /(?:Options?|Config|Schemas|Limits|Hints|Retry|Labels|Spec)$|^(?:Tool|Method)Settings$/

const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
const doors = DOOR_SOURCES.map(({ name, source }) => ({ name, file: `${root}${source}` }))
const program = ts.createProgram(
  doors.map(({ file }) => file),
  options,
  sharingHost(options),
)

/** The exports of a file that are interfaces or types of options. */
function optionTypes({ from, file }: { from: ts.Program; file: string }): readonly ts.Symbol[] {
  const checker = from.getTypeChecker()
  return checker
    .getExportsOfModule(checker.getSymbolAtLocation(from.getSourceFile(file)!)!)
    .filter(({ name }) => OPTIONS.test(name))
    .map((symbol) =>
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    )
    .filter(({ flags }) => flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias))
}

const isOurs = (node: ts.Declaration): boolean =>
  !node.getSourceFile().fileName.includes('/node_modules/')

/** The properties of the option types of a file that are declared in this repository and have no words. */
function undocumented(from: ts.Program, file: string): readonly string[] {
  const checker = from.getTypeChecker()
  const found = optionTypes({ from, file }).flatMap((symbol) => {
    const type = checker.getDeclaredTypeOfSymbol(symbol)
    const parts = type.isUnionOrIntersection() ? type.types : [type]
    return parts
      .flatMap((part) => checker.getPropertiesOfType(part))
      .filter((property) => property.declarations?.some(isOurs) && !property.name.startsWith('~'))
      .filter((property) => property.getDocumentationComment(checker).length === 0)
      .map((property) => `${symbol.name}.${property.name}`)
  })
  return [...new Set(found)]
}

it.each(doors)('$name has words for every option', ({ file }) => {
  expect(undocumented(program, file)).toEqual([])
})

describe('the check', () => {
  const { folder, remove } = programFolder('hover-text')
  afterAll(remove)

  it('sees the options of the library', () => {
    expect(optionTypes({ from: program, file: doors[0]!.file }).length).toBeGreaterThan(15)
  })

  it('notices an option without words, also one that is inherited or joined', () => {
    const file = join(folder, 'options.ts')
    writeFileSync(
      file,
      `interface Base { readonly inherited?: 1 }
export interface AOptions extends Base {
  /** Words. */
  readonly a?: 1
  readonly b?: 2
}
export type BOptions = AOptions & { readonly c?: 3 }
`,
    )
    expect(undocumented(ts.createProgram([file], options, sharingHost(options)), file)).toEqual([
      'AOptions.b',
      'AOptions.inherited',
      'BOptions.b',
      'BOptions.inherited',
      'BOptions.c',
    ])
  })
})
