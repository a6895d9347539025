/** Recognises imports from the library, whatever their local names. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

const isToolwright = new Map<string, boolean>()

/** Whether a symbol is this export of the library. */
export function isFromToolwright(
  symbol: ts.Symbol,
  name: string,
  checker: ts.TypeChecker,
): boolean {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const file = target.declarations?.[0]?.getSourceFile().fileName
  return target.name === name && file !== undefined && isInToolwright(dirname(file))
}

function isInToolwright(folder: string): boolean {
  const cached = isToolwright.get(folder)
  if (cached !== undefined) return cached
  const packageName = manifestName(folder)
  const above = dirname(folder)
  const answer =
    packageName === undefined
      ? above !== folder && isInToolwright(above)
      : packageName === 'toolwright'
  isToolwright.set(folder, answer)
  return answer
}

function manifestName(folder: string): string | undefined {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      name?: string
    }
    return manifest.name
  } catch {
    return undefined
  }
}
