/** A conversation with its older turns folded into a summary, and what of it can be folded next. */
import type { ConversationKey } from '../messages/conversation-key.ts'
import type { Message } from '../messages/message.ts'
import { runOf, toolCallsOf } from '../messages/reading.ts'
import type { ChatMemoryRepository, ConversationTail } from './chat-memory.ts'
import { readTail } from './read-tail.ts'
import { isSummary, shownSummary, summaryIn, type Summary } from './summary-message.ts'
import { currentSystem } from './system-groups.ts'
import { turnStarts } from './turn-starts.ts'

interface Placed {
  readonly position: number
  readonly message: Message
}

export interface FoldedView {
  readonly system: readonly Message[]
  readonly summary: Summary | undefined
  /** What the summary does not stand for: no system messages, and no summaries. */
  readonly rest: readonly Placed[]
}

/** How many messages are read at first. */
const FIRST_READ = 64

export async function readFolded(
  repository: ChatMemoryRepository,
  key: ConversationKey,
): Promise<FoldedView> {
  for (let last = FIRST_READ; ;) {
    const tail = await readTail(repository, key, last)
    const { skipped, messages } = tail
    const summary = furthestSummary(tail)
    const begin = summary ? (summary.open[0] ?? summary.covers) : 0
    if (begin >= skipped) return viewOf(tail, summary)
    last = summary ? skipped + messages.length - begin : last * 2
  }
}

/** Of several that were made at the same time, the one that stands for the most. */
function furthestSummary({ messages, skipped }: ConversationTail): Summary | undefined {
  return messages.reduce<Summary | undefined>((furthest, message, index) => {
    const summary = summaryIn(message, skipped + index)
    return summary && summary.covers >= (furthest?.covers ?? 0) ? summary : furthest
  }, undefined)
}

function viewOf(
  { messages, skipped, system }: ConversationTail,
  summary: Summary | undefined,
): FoldedView {
  const { covers = 0, open = [] } = summary ?? {}
  const isOpen = new Set(open)
  const rest = messages.flatMap((message, index): readonly Placed[] => {
    const position = skipped + index
    if (message.role === 'system' || isSummary(message)) return []
    return position >= covers || isOpen.has(position) ? [{ position, message }] : []
  })
  return { system: currentSystem(system), summary, rest }
}

export const shownMessages = ({ system, summary, rest }: FoldedView): readonly Message[] => [
  ...system,
  ...(summary ? [shownSummary(summary)] : []),
  ...rest.map(({ message }) => message),
]

export interface FoldingRule {
  readonly keepTurns: number
  readonly foldTurns: number
  /** How large a message is, and the largest sum that is folded at once. */
  readonly sizeOf: (message: Message) => number
  readonly maxSize: number
}

export interface Fold {
  /** What a summary shall stand for, besides what the one before it does. */
  readonly messages: readonly Message[]
  readonly covers: number
  readonly open: readonly number[]
}

/** The oldest turns, when there are enough. A turn with a call that has no response stays. */
export function nextFold({ rest }: FoldedView, rule: FoldingRule): Fold | undefined {
  const { keepTurns, foldTurns, sizeOf, maxSize } = rule
  const { starts } = turnStarts(rest.map(({ message }) => message))
  if (starts.length < keepTurns + foldTurns) return undefined
  const turns = starts
    .slice(0, starts.length - keepTurns)
    .map((start, index) => rest.slice(index === 0 ? 0 : start, starts[index + 1]))
  const folded: Placed[] = []
  const open: number[] = []
  let seen = 0
  let size = 0
  for (const turn of turns) {
    const isOpen = hasOpenCall(turn)
    size += isOpen ? 0 : turn.reduce((sum, { message }) => sum + sizeOf(message), 0)
    if (!isOpen && size > maxSize && folded.length > 0) break
    seen += turn.length
    if (isOpen) open.push(...turn.map(({ position }) => position))
    else folded.push(...turn)
  }
  if (folded.length === 0) return undefined
  return { messages: folded.map(({ message }) => message), covers: rest[seen]!.position, open }
}

/** A response stands in the turn of its call, wherever it was written. */
function hasOpenCall(turn: readonly Placed[]): boolean {
  const open = new Set<string>()
  for (const { message } of turn) {
    const run = runOf(message) ?? ''
    for (const { id } of toolCallsOf(message)) open.add(`${run}\n${id}`)
    if (message.role === 'tool')
      for (const { id } of message.responses) open.delete(`${run}\n${id}`)
  }
  return open.size > 0
}
