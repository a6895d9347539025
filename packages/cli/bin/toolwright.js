#!/usr/bin/env node
// Installed, the command is built. In a checkout of the repository it runs from its sources.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const built = new URL('../dist/main.js', import.meta.url)
if (!existsSync(new URL('../src/main.ts', import.meta.url))) {
  const { start } = await import(built.href)
  await start()
} else {
  const { tsImport } = await import('tsx/esm/api')
  const tsconfig = fileURLToPath(new URL('../../../tsconfig.json', import.meta.url))
  const { start } = await tsImport('../src/main.ts', { parentURL: import.meta.url, tsconfig })
  await start()
}
