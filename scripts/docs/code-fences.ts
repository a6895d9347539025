/**
 * Code in the documentation, held to what the code can do: every `ts` fence that starts with an
 * import is type-checked, and one whose first line is `// run` is executed too, with the packages as they are built. One whose first line is
 * `// from path` quotes that file, which is compiled and run by itself. Other fences are sketches.
 */
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { builtPackages } from '../build/built-packages.ts'
import { tsconfigPaths } from '../doors/door-sources.ts'
import { PACKAGES } from '../doors/table.js'
import { HANG_GUARD_MS } from '../hang-guard.ts'
import { sharingHost } from '../sharing-host.ts'

export interface Fence {
  /** The Markdown file, relative to the root. */
  readonly file: string
  /** The line of its first line of code, counted from 1. */
  readonly line: number
  readonly code: string
}

const RUN = /^\/\/ run\b/
const QUOTE = /^\/\/ from (\S+)\n/
/** Processes. */
const AT_ONCE = 2

/** The checked fences of README.md, of the packages' own, and of docs/. */
export function documentedFences(root: string): Fence[] {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const pages = inDocs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
  const readmes = PACKAGES.map(({ folder }) => `packages/${folder}/README.md`)
  return ['README.md', ...readmes, ...pages.sort()].flatMap((file) =>
    fencesOf(readFileSync(join(root, file), 'utf8'), file),
  )
}

/** The checked fences of one Markdown text. */
export function fencesOf(markdown: string, file: string): Fence[] {
  const fences: Fence[] = []
  for (const match of markdown.matchAll(/^```ts\b[^\n]*\n([\s\S]*?)^```/gm)) {
    const code = match[1]!
    const line = markdown.slice(0, match.index).split('\n').length + 1
    if (RUN.test(code) || QUOTE.test(code) || /^import\b/.test(code))
      fences.push({ file, line, code })
  }
  return fences
}

/** What is wrong with them, each with its place in the documentation. */
export async function problemsOf(root: string, fences: readonly Fence[]): Promise<string[]> {
  const isQuote = (fence: Fence): boolean => QUOTE.test(fence.code)
  const own = fences.filter((fence) => !isQuote(fence))
  return [
    ...fences.filter(isQuote).flatMap((fence) => misquoted(root, fence)),
    ...(await codeProblems(root, own)),
  ]
}

function misquoted(root: string, { file, line, code }: Fence): string[] {
  const [first, path] = QUOTE.exec(code) as unknown as [string, string]
  const source = join(root, path)
  const isThere =
    existsSync(source) && readFileSync(source, 'utf8').includes(code.slice(first.length))
  return isThere ? [] : [`${file}:${line}: these lines do not stand in ${path}`]
}

async function codeProblems(root: string, fences: readonly Fence[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'code-fences-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configFor(root)))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    fences.forEach((fence, index) => writeFileSync(join(folder, fileName(index)), fence.code))
    const mistyped = typeProblems(folder, fences)
    return mistyped.length > 0 ? mistyped : await runProblems(root, folder, fences)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const fileName = (index: number): string => `fence-${index}.ts`

function configFor(root: string): object {
  return {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noUnusedLocals: false,
      noUnusedParameters: false,
      paths: tsconfigPaths(join(root, '/')),
    },
    include: ['*.ts'],
  }
}

function typeProblems(folder: string, fences: readonly Fence[]): string[] {
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
  const program = ts.createProgram(fileNames, options, sharingHost(options))
  return fileNames.flatMap((name) => {
    const fence = fences[Number(/\d+/.exec(basename(name))![0])]!
    const source = program.getSourceFile(name)!
    const found = [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ]
    return found.map((diagnostic) => placed(fence, source, diagnostic))
  })
}

function placed(fence: Fence, source: ts.SourceFile, diagnostic: ts.Diagnostic): string {
  const { line } = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0)
  const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')
  return `${fence.file}:${fence.line + line}: ${message}`
}

async function runProblems(
  root: string,
  folder: string,
  fences: readonly Fence[],
): Promise<string[]> {
  const waiting = [...fences.entries()].filter(([, { code }]) => RUN.test(code))
  if (waiting.length === 0) return []
  const { tsconfig } = await builtPackages()
  const tsx = [join(root, 'node_modules/tsx/dist/cli.mjs'), '--tsconfig', tsconfig]
  // As on a reader's machine: cassettes do not record where CI is set.
  const { CI: _, ...env } = process.env
  const options = { cwd: folder, env, encoding: 'utf8', timeout: HANG_GUARD_MS } as const
  const problems: string[] = []
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, { file, line }] = next
      await promisify(execFile)(process.execPath, [...tsx, fileName(index)], options).catch(
        ({ stderr }: { readonly stderr: string }) =>
          problems.push(`${file}:${line}: does not run\n${stderr}`),
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return problems.sort()
}
