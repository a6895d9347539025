#!/usr/bin/env node
// Installed, the command is built. In a checkout of the repository it runs from its sources.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const built = new URL('../dist/main.js', import.meta.url)
if (!existsSync(new URL('../src/main.ts', import.meta.url))) {
  const { start } = await import(built.href)
  await start()
} else {
  // Not in a namespace of its own: what the command loads for the user would be in it too.
  const { register } = await import('tsx/esm/api')
  register({ tsconfig: fileURLToPath(new URL('../../../tsconfig.json', import.meta.url)) })
  const { start } = await import('../src/main.ts')
  await start()
}
