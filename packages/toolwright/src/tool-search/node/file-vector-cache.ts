/**
 * Stores vectors in a folder, one file per key. Node only: the file system is loaded when the cache is
 * made, so the rest of this door runs anywhere. Several processes may share the folder.
 */
import { ConfigurationError } from '../../errors/errors.ts'
import type { VectorCache } from '../embedding/vector-cache.ts'

const AT_A_TIME = 64

/**
 * @example
 * const cache = await fileVectorCache('.cache/vectors')
 */
export async function fileVectorCache(folder: string): Promise<VectorCache> {
  const [files, { join }] = await Promise.all([
    import('node:fs/promises').catch(notNode),
    import('node:path').catch(notNode),
  ])
  // Keys are normally hashes, but a custom key must not leave the folder.
  const fileOf = (key: string): string =>
    join(folder, key.slice(0, 2), `${encodeURIComponent(key)}.f32`)
  let writes = 0
  const read = async (key: string): Promise<Float32Array | undefined> => {
    try {
      const { buffer, byteOffset, byteLength } = await files.readFile(fileOf(key))
      if (byteLength === 0 || byteLength % 4 !== 0) return undefined
      return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength))
    } catch {
      return undefined
    }
  }
  const write = async ([key, vector]: readonly [string, Float32Array]): Promise<void> => {
    const file = fileOf(key)
    // The vector is written to another file and moved, so that a reader never sees half of it.
    const aside = `${file}.${process.pid}-${++writes}`
    await files.mkdir(join(file, '..'), { recursive: true })
    await files.writeFile(
      aside,
      new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
    )
    await files.rename(aside, file)
  }
  return {
    get: (keys) => inTurns(keys, read),
    async set(entries) {
      await inTurns(entries, write)
    },
  }
}

function notNode(cause: unknown): never {
  throw new ConfigurationError('invalid-option', 'fileVectorCache() needs a file system.', {
    cause,
  })
}

async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += AT_A_TIME)
    results.push(...(await Promise.all(items.slice(at, at + AT_A_TIME).map(work))))
  return results
}
