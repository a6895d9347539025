/** Keeps the best few of many without sorting them all. */
import type { FoundTool } from './tool-index.ts'

/**
 * Orders by score, best first. Equal scores are ordered by name, so that the order does not depend on when
 * a tool was indexed.
 */
export const byScore = (a: FoundTool, b: FoundTool): number =>
  b.score - a.score || (a.name < b.name ? -1 : 1)

/** Keeps the best `most` tools of all it is offered. */
export class BestFirst {
  readonly #most: number
  readonly #kept: FoundTool[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** Scores below this would not be kept. */
  get threshold(): number {
    return this.#kept.length < this.#most ? 0 : this.#kept.at(-1)!.score
  }

  offer(tool: FoundTool): void {
    const kept = this.#kept
    let at = kept.length
    while (at > 0 && byScore(tool, kept[at - 1]!) < 0) at--
    if (at >= this.#most) return
    kept.splice(at, 0, tool)
    if (kept.length > this.#most) kept.pop()
  }

  get tools(): readonly FoundTool[] {
    return this.#kept
  }
}
