/** Keeps the runs that wait in this process. */
import { ConfigurationError } from '../errors/errors.ts'
import { checkNumber, checkOptions } from '../internal/check-options.ts'
import type { ConversationKey } from '../messages/conversation-key.ts'
import { usedStates, type PendingRun, type PendingRunQuery, type RunStore } from './run-store.ts'

/** Remembers the states this process resumed, and the runs that wait. Several processes need a shared store. */
export function inMemoryRunStore(): Required<RunStore> {
  const used = usedStates()
  const waiting = new Map<string, Kept>()
  const runOf = new Map<string, string>()
  return {
    async use(stateId, by) {
      const isFirst = await used.use(stateId, by)
      const runId = runOf.get(stateId)
      if (runId !== undefined && waiting.get(runId)?.place.stateId === stateId)
        waiting.delete(runId)
      runOf.delete(stateId)
      return isFirst
    },
    async save(run) {
      const { runId, stateId, savedAt, conversation } = run
      if (used.has(stateId)) return
      runOf.set(stateId, runId)
      const before = waiting.get(runId)
      if (before && before.place.stateId !== stateId) runOf.delete(before.place.stateId)
      // As text, so that nobody who holds the run can change what is kept.
      const place = { runId, stateId, savedAt }
      waiting.set(runId, { place, conversation, text: JSON.stringify(run) })
    },
    async find(runId) {
      const kept = waiting.get(runId)
      return kept && runIn(kept)
    },
    async list(query) {
      checkOptions('list()', query, ['tenant', 'conversation', 'limit', 'cursor'])
      const { limit = 50, cursor } = query
      checkNumber('limit', limit, { least: 1, isWhole: true })
      const after = cursor === undefined ? undefined : placeIn(cursor)
      const rest = [...waiting.values()]
        .filter(({ conversation, place }) => isAsked(query, conversation) && isAfter(place, after))
        .toSorted((a, b) => (isAfter(a.place, b.place) ? 1 : -1))
      const page = rest.slice(0, limit)
      const runs = page.map(runIn)
      return rest.length > page.length ? { runs, cursor: cursorAt(page.at(-1)!.place) } : { runs }
    },
  }
}

/** Where a run stands in the list. */
interface Place {
  readonly savedAt: number
  readonly runId: string
}

interface Kept {
  readonly place: Place & Pick<PendingRun, 'stateId'>
  readonly conversation: ConversationKey | undefined
  readonly text: string
}

const runIn = ({ text }: Kept): PendingRun => JSON.parse(text) as PendingRun

/** Runs that were saved at the same time stand in the order of their ids. */
function isAfter({ savedAt, runId }: Place, other: Place | undefined): boolean {
  if (!other) return true
  return savedAt === other.savedAt ? runId > other.runId : savedAt > other.savedAt
}

function isAsked(
  { tenant, conversation }: PendingRunQuery,
  key: ConversationKey | undefined,
): boolean {
  if (tenant === undefined) return conversation === undefined || key === conversation
  if (typeof key !== 'object' || key.tenant !== tenant) return false
  return conversation === undefined || key.conversation === conversation
}

const cursorAt = ({ savedAt, runId }: Place): string => JSON.stringify([savedAt, runId])

function placeIn(cursor: unknown): Place {
  try {
    const [savedAt, runId, ...more] = JSON.parse(cursor as string) as unknown[]
    if (typeof savedAt === 'number' && typeof runId === 'string' && more.length === 0)
      return { savedAt, runId }
  } catch {
    // It has no JSON form, so it is none.
  }
  throw new ConfigurationError(
    'invalid-option',
    'cursor is no cursor of this list. Give that of the page before, or none for the first page.',
  )
}
