/**
 * Runs of a tool that have returned and are not converted yet. Running and converting are two steps of a call's walk,
 * and only the value goes from one to the other: it says which run is meant. Of equal values the earlier comes first.
 */
export class Unconverted<Run> {
  readonly #waiting: { readonly value: unknown; readonly run: Run }[] = []

  add(value: unknown, run: Run): void {
    this.#waiting.push({ value, run })
  }

  /** Undefined: the tool was not run, because the application supplied its result. */
  take(value: unknown): Run | undefined {
    const at = this.#waiting.findIndex((each) => Object.is(each.value, value))
    return at === -1 ? undefined : this.#waiting.splice(at, 1)[0]!.run
  }
}
