/**
 * A small engine: the steps of one run in a file, a line of JSON each, on the disk before the run goes on. It is complete but
 * for the fence: two processes that have the same file open would not notice each other.
 */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
} from 'node:fs'
import { DurabilityError, type Durability, type OnUnknownOutcome, type ToolStep } from 'toolwright'

type Line =
  | { readonly key: string; readonly state: 'began' }
  | { readonly key: string; readonly state: 'ended'; readonly value?: unknown }

export class FileDurability implements Durability {
  readonly onUnknownOutcome: OnUnknownOutcome = 'ask'
  readonly #file: number
  readonly #steps = new Map<string, Line>()
  #runId: string | undefined

  /** `runId` names the run that is started first. Others, inside of its tools, have names of their own. */
  constructor(path: string, runId?: string) {
    this.#runId = runId
    this.#file = openSync(path, 'a')
    const text = readFileSync(path, 'utf8')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    // A crash may have cut the last line off. Its step had not ended for anybody.
    ftruncateSync(this.#file, Buffer.byteLength(whole))
    for (const json of whole.split('\n').filter(Boolean)) this.#know(JSON.parse(json) as Line)
  }

  runId(): string | undefined {
    const name = this.#runId
    this.#runId = undefined
    return name
  }

  async step<T>(key: string, run: () => Promise<T>, tool?: ToolStep): Promise<T> {
    const known = this.#steps.get(key)
    if (known?.state === 'ended') return known.value as T
    if (tool?.effect === 'once') this.#intend(key, tool)
    const value = await run()
    this.#append({ key, state: 'ended', value })
    return value
  }

  close(): void {
    closeSync(this.#file)
  }

  /** Says on the disk that the tool starts, so that a later life knows that it may have had its effect. */
  #intend(key: string, { toolName }: ToolStep): void {
    if (this.#steps.has(key))
      throw new DurabilityError('unknown-outcome', `"${toolName}" was cut off while it ran.`)
    this.#append({ key, state: 'began' })
  }

  #append(line: Line): void {
    const { size } = fstatSync(this.#file)
    try {
      appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
      fsyncSync(this.#file)
    } catch (error) {
      // On a full disk half of the line may be there.
      ftruncateSync(this.#file, size)
      throw error
    }
    this.#know(line)
  }

  #know(line: Line): void {
    this.#steps.set(line.key, line)
  }
}
