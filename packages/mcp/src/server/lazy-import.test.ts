/** Importing the door, and making a server, loads nothing of the SDK. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { DOOR_SOURCES } from '../../../../scripts/doors/door-sources.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

it('the SDK is loaded when something is served', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { serveTools } from '@toolwright/mcp'
        serveTools([], { name: 'x', version: '1' })
        console.log('made')
      `,
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
    alias: Object.fromEntries(DOOR_SOURCES.map(({ name, source }) => [name, `${root}/${source}`])),
    external: ['@modelcontextprotocol/*'],
  })
  const [{ text } = { text: '' }] = outputFiles
  expect(text).not.toMatch(/^import .*@modelcontextprotocol/m)
  // Where the SDK is not to be found, too.
  const words = ['--input-type=module', '-']
  const said = execFileSync(process.execPath, words, { cwd: '/', encoding: 'utf8', input: text })
  expect(said).toBe('made\n')
})
