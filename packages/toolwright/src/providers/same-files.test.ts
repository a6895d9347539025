/** Whoever knows one adapter finds their way in all of them: the same files under the same names. */
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'wire')
  .map(({ name }) => ({ name, files: readdirSync(`${import.meta.dirname}/${name}`) }))
const filesOf = (files: readonly string[]): string[] =>
  files.filter((file) => !/\.test\.ts$|-embeddings\.ts$/.test(file)).sort()

describe('an adapter', () => {
  // A folder without a converter is a door only, or has embeddings only.
  const adapters = folders.filter(({ files }) => files.includes('stream-converter.ts'))

  it.each(adapters)('of $name is seven files', ({ name, files }) => {
    const expected = [
      'from-wire.ts',
      'index.ts',
      `${name}.ts`,
      'stream-converter.ts',
      'to-wire-messages.ts',
      'to-wire.ts',
      'wire-types.ts',
    ]
    expect(filesOf(files)).toEqual(expected.sort())
  })

  it('is there, or the folder holds nothing but its door', () => {
    expect(adapters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['anthropic', 'openai-compatible']),
    )
    for (const { files } of folders.filter((folder) => !adapters.includes(folder)))
      expect(filesOf(files)).toEqual(['index.ts'])
  })
})
