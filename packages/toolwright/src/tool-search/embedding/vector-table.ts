/** Vectors of the same length in one array, to compare all of them with one quickly. */
import { ModelResponseError } from '../../errors/errors.ts'

export class VectorTable {
  readonly #rows = new Map<string, number>()
  readonly #names: string[] = []
  #width = 0
  #values = new Float32Array(0)

  has(name: string): boolean {
    return this.#rows.has(name)
  }

  put(name: string, vector: ArrayLike<number>): void {
    if (this.#names.length === 0) this.#width = vector.length
    const unit = this.#unit(vector)
    const row = this.#rows.get(name) ?? this.#names.length
    if (row === this.#names.length) this.#names.push(name)
    this.#rows.set(name, row)
    if (this.#values.length < (row + 1) * this.#width) {
      const larger = new Float32Array(Math.max(16, row * 2) * this.#width)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values.set(unit, row * this.#width)
  }

  remove(name: string): void {
    const row = this.#rows.get(name)
    if (row === undefined) return
    const last = this.#names.pop()!
    this.#rows.delete(name)
    if (last === name) return
    const from = this.#names.length * this.#width
    this.#values.copyWithin(row * this.#width, from, from + this.#width)
    this.#names[row] = last
    this.#rows.set(last, row)
  }

  copyTo(other: VectorTable): void {
    for (const [name, row] of this.#rows)
      other.put(name, this.#values.subarray(row * this.#width, (row + 1) * this.#width))
  }

  /** Calls `use` with the cosine similarity of each vector to the given one. */
  compare(vector: ArrayLike<number>, use: (name: string, cosine: number) => void): void {
    if (this.#names.length === 0) return
    const unit = this.#unit(vector)
    const width = this.#width
    for (let row = 0; row < this.#names.length; row++) {
      const base = row * width
      let cosine = 0
      for (let at = 0; at < width; at++) cosine += unit[at]! * this.#values[base + at]!
      use(this.#names[row]!, cosine)
    }
  }

  #unit(vector: ArrayLike<number>): Float32Array {
    const unit = Float32Array.from(vector)
    const length = Math.sqrt(unit.reduce((sum, value) => sum + value * value, 0))
    if (unit.length !== this.#width || !Number.isFinite(length))
      throw new ModelResponseError(
        'invalid-response',
        `The embedding model gave a vector of ${unit.length} numbers where ${this.#width} finite ones were expected.`,
      )
    return length === 0 ? unit : unit.map((value) => value / length)
  }
}
