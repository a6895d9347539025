/**
 * What every contender does with its conversations: warms up, lets many of them wait inside their tool, weighs
 * the heap, lets them go on to their end, and weighs again. Prints the weights as JSON.
 */
import { setTimeout as delay } from 'node:timers/promises'

export interface Weights {
  /** Heap and external bytes for each waiting conversation, after garbage collection. */
  readonly heldBytes: number
  /** The same once all of them have ended. */
  readonly leftBytes: number
}

/** What the mock model is: one round with one call, then the answer. */
export const MODEL = 'mock-r1-c1'
const WARM_UPS = 300
/** Conversations between their first request and their tool at one time, so that few sockets are open. */
const AT_ONCE = 20

let isOpen = true
let arrived = 0
const waiting: (() => void)[] = []

/** The tool of every contender: waits until it is let go. */
export function park(): Promise<object> | object {
  const result = { high: 21, low: 12, sky: 'clear' }
  if (isOpen) return result
  arrived += 1
  return new Promise((resolve) => waiting.push(() => resolve(result)))
}

/** `converse` holds one conversation to its end and gives the final text. */
export async function holdConversations(
  converse: (question: string) => Promise<string>,
): Promise<void> {
  const count = Number(process.argv[2])
  for (let each = 0; each < WARM_UPS; each++) await converse(`warm-up ${each}`)
  const before = await weight()
  isOpen = false
  const conversations: Promise<string>[] = []
  while (conversations.length < count) {
    for (let each = 0; each < AT_ONCE; each++)
      conversations.push(converse(`conversation ${conversations.length}`))
    while (arrived < conversations.length) await delay(1)
  }
  const heldBytes = (await weight()) - before
  isOpen = true
  const texts = await ended(conversations)
  if (texts.some((text) => text === '' || text !== texts[0])) throw new Error('An answer is wrong.')
  conversations.length = 0
  const leftBytes = (await weight()) - before
  const weights: Weights = { heldBytes: heldBytes / count, leftBytes: leftBytes / count }
  process.stdout.write(JSON.stringify(weights))
  process.exit()
}

async function ended(conversations: readonly Promise<string>[]): Promise<string[]> {
  const texts: string[] = []
  for (let at = 0; at < conversations.length; at += AT_ONCE) {
    for (const letGo of waiting.splice(0, AT_ONCE)) letGo()
    texts.push(...(await Promise.all(conversations.slice(at, at + AT_ONCE))))
  }
  return texts
}

async function weight(): Promise<number> {
  for (let round = 0; round < 5; round++) {
    globalThis.gc!()
    await delay(20)
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
