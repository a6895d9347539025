/** The best few of many, without sorting the many. */
import type { FoundTool } from './tool-index.ts'

/** Best first; equal scores by name, so that the order does not hang on who was indexed when. */
export const byScore = (a: FoundTool, b: FoundTool): number =>
  b.score - a.score || (a.name < b.name ? -1 : 1)

/** Keeps the best `most` of what it is offered. */
export class BestFirst {
  readonly #most: number
  readonly #kept: FoundTool[] = []

  constructor(most: number) {
    this.#most = most
  }

  /** A score below this is not worth offering. */
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
