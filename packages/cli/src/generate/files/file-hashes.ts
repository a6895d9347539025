/** Content hashes of files; each file is read once. Missing files and folders have hashes too. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export const hashOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url')

export class FileHashes {
  readonly #known = new Map<string, string>()

  of(file: string): string {
    const cached = this.#known.get(file)
    if (cached !== undefined) return cached
    const hash = hashOnDisk(file)
    this.#known.set(file, hash)
    return hash
  }
}

function hashOnDisk(file: string): string {
  try {
    return hashOf(readFileSync(file))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR' ? 'folder' : 'none'
  }
}
