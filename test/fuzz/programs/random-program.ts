/**
 * Programs as a model might write them, as trees: calls side by side, one after another, raced, caught, repeated, in
 * functions of their own, with calls that depend on what earlier ones gave and on which of them came first.
 */
import type { Dice } from '../random-history.ts'

export interface RandomProgram {
  readonly code: string
  /** Every failure is caught by somebody, so that any engine can run it. */
  readonly isTidy: boolean
}

const CALL = `const call = async (label, promise) => {
  try {
    const value = await promise
    console.log(label + ' gave ' + JSON.stringify(value))
    return value
  } catch (error) {
    console.log(label + ' threw ' + (error.code ?? error.name))
    throw error
  }
}`

export function randomProgram(dice: Dice): RandomProgram {
  const isTidy = dice(4) > 0
  const root = new Branches(dice, isTidy).any(3 + dice(2))
  const body =
    dice(4) === 0
      ? `return await ${root}`
      : `try {\n  return { done: await ${root} }\n} catch (error) {\n  return { error: error.code ?? error.name }\n}`
  return { code: `${CALL}\n${body}`, isTidy }
}

/** The names of the tools, as often as they are to be called. */
const NAMES = [
  ...['get', 'get', 'get', 'get', 'words', 'fail', 'fail', 'nothing', 'never'],
  ...['pay', 'pay', 'pay', 'maybe', 'maybe', 'ask', 'desk', 'unknown'],
]

class Branches {
  readonly #dice: Dice
  readonly #isTidy: boolean
  #calls = 0
  #left: number

  constructor(dice: Dice, isTidy: boolean) {
    this.#dice = dice
    this.#isTidy = isTidy
    this.#left = 4 + dice(14)
  }

  /** An expression that gives a promise. */
  any(depth: number): string {
    if (depth === 0 || this.#left <= 1) return this.#call()
    return this.#one(BRANCHES).call(this, depth - 1)
  }

  #one<T>(choices: readonly T[]): T {
    return choices[this.#dice(choices.length)]!
  }

  /** A number that only one place of the program has; so many that follow are its own, too. */
  number(count = 1): number {
    const first = this.#calls + 1
    this.#calls += count
    this.#left -= count
    return first
  }

  #call(): string {
    const n = this.number()
    const name = this.#one(NAMES)
    const input = this.#dice(20) === 0 ? '{}' : `{ n: ${n} }`
    const made = this.#dice(5) === 0 ? `callTool('${name}', ${input})` : `tools.${name}(${input})`
    return this.#dice(3) > 0 ? `call('${n}', ${made})` : made
  }

  several(depth: number): string {
    return Array.from({ length: 2 + this.#dice(3) }, () => this.any(depth)).join(', ')
  }

  get tool(): string {
    return `tools.${this.#one(NAMES)}`
  }

  count(most: number): number {
    return 1 + this.#dice(most)
  }

  /** What is done with a promise that nobody waits for at once. */
  get left(): string {
    return this.#isTidy ? '.catch((error) => console.log(error.code ?? error.name))' : ''
  }
}

type Branch = (this: Branches, depth: number) => string

const BRANCHES: readonly Branch[] = [
  function all(depth) {
    return `Promise.all([${this.several(depth)}])`
  },
  function race(depth) {
    return `Promise.race([${this.several(depth)}])`
  },
  function anyOf(depth) {
    return `Promise.any([${this.several(depth)}])`
  },
  function allSettled(depth) {
    return `Promise.allSettled([${this.several(depth)}]).then((all) => all.map((each) => each.status + JSON.stringify(each.value ?? each.reason?.code)))`
  },
  function inTurn(depth) {
    return `(async () => { const out = []; out.push(await ${this.any(depth)}); out.push(await ${this.any(depth)}); return out })()`
  },
  function eager(depth) {
    return `(async () => { const one = ${this.any(depth)}${this.left}; const other = ${this.any(depth)}${this.left}; return [await other, await one] })()`
  },
  function unawaited(depth) {
    return `(async () => { ${this.any(depth)}${this.left}; return await ${this.any(depth)} })()`
  },
  function caught(depth) {
    return `(async () => { try { return await ${this.any(depth)} } catch (error) { console.log('caught ' + (error.code ?? error.name)); return await ${this.any(depth)} } })()`
  },
  function atLast(depth) {
    return `(async () => { try { return await ${this.any(depth)} } finally { await ${this.any(depth)} } })()`
  },
  function whichever(depth) {
    return `(async () => { const text = JSON.stringify(await ${this.any(depth)}) ?? ''; console.log(text); return text.length % 2 ? await ${this.any(depth)} : await ${this.any(depth)} })()`
  },
  function dependsOnRace(depth) {
    const first = this.number(4)
    return `(async () => { const first = await Promise.race([${this.any(depth)}.then(() => 0, () => 1), ${this.any(depth)}.then(() => 2, () => 3)]); return await ${this.tool}({ n: ${first} + first }) })()`
  },
  function loop() {
    const count = this.count(4)
    const first = this.number(count)
    return `(async () => { let sum = 0; for (let i = 0; i < ${count}; i++) { const value = await ${this.tool}({ n: ${first} + i }); sum += JSON.stringify(value)?.length ?? 0; if (sum % 5 === 3) break } return sum })()`
  },
  function lanes() {
    const count = 2 + this.count(4)
    const first = this.number(count)
    return `(async () => { const out = []; let next = 0; const lane = async () => { while (next < ${count}) { const n = ${first} + next++; out.push([n, await (n % 2 ? ${this.tool} : ${this.tool})({ n }).catch((error) => error.code)]) } }; await Promise.all([lane(), lane()]); return out })()`
  },
  function recursion(depth) {
    const count = this.count(3)
    const first = this.number(count)
    return `(async function go(left) { if (left === 0) return await ${this.any(depth)}; const value = await ${this.tool}({ n: ${first} + left - 1 }); return [value, await go(left - 1)] })(${count})`
  },
]
