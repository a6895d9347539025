/**
 * Reports that something changed in a set of folders; the caller finds out what. Folders are watched one by
 * one, because watching a tree is not reliable on every supported system.
 */
import { statSync, watch, type FSWatcher } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '../../command/command-error.ts'

/** Saving a file causes several events, and a checkout hundreds. */
const SETTLE_MS = 25

export class FolderWatch {
  readonly #watched = new Map<string, { readonly watcher: FSWatcher; readonly identity: string }>()
  readonly #signal: AbortSignal
  #happened = false
  #wake = (): void => undefined

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', () => this.#close(), { once: true })
  }

  /** How many folders are watched. */
  get size(): number {
    return this.#watched.size
  }

  /**
   * Also watches these folders. Returns true if one of them was not watched before: something may have
   * changed there unseen, so the caller must look again.
   */
  cover(folders: Iterable<string>): boolean {
    if (this.#signal.aborted) return false
    return [...new Set(folders)].map((folder) => this.#add(folder)).includes(true)
  }

  /** Waits for a change. Returns false if the signal was aborted. */
  async changed(): Promise<boolean> {
    if (!this.#happened && !this.#signal.aborted)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    if (!this.#signal.aborted) await delay(SETTLE_MS)
    this.#happened = false
    return !this.#signal.aborted
  }

  #add(folder: string): boolean {
    const identity = identityOf(folder)
    const watched = this.#watched.get(folder)
    if (watched !== undefined && watched.identity === identity) return false
    watched?.watcher.close()
    this.#watched.delete(folder)
    if (identity === undefined) return false
    const watcher = watchFolder(folder, () => this.#notice())
    if (watcher) this.#watched.set(folder, { watcher, identity })
    return watcher !== undefined
  }

  #notice(): void {
    this.#happened = true
    this.#wake()
  }

  #close(): void {
    for (const { watcher } of this.#watched.values()) watcher.close()
    this.#watched.clear()
    this.#wake()
  }
}

/**
 * A folder that was deleted and created again is a different one under the same name, often with the same
 * inode number.
 */
function identityOf(folder: string): string | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false })
  return stats && `${stats.ino} ${stats.birthtimeMs}`
}

function watchFolder(folder: string, happened: () => void): FSWatcher | undefined {
  try {
    // On some systems, deleting a folder causes an error event.
    return watch(folder, happened).on('error', happened)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new CommandError(
      `${folder} cannot be watched: ${message}. Watch fewer folders, or raise the limit of your system (fs.inotify.max_user_watches).`,
    )
  }
}
