/** The runs of the playground that wait for a person, as the database has them. */
import type { SqlRunStore } from '@toolwright/sql'
import type { PendingRun, PendingRunQuery, RunState } from 'toolwright'
import { TENANT, textOfUser } from './conversation-book.ts'
import type { TurnFacts } from './turn.ts'

const ASKED_AT_ONCE = 200

export class WaitingRuns {
  readonly #store: SqlRunStore

  constructor(store: SqlRunStore) {
    this.#store = store
  }

  /** Oldest first, with the ids of their conversations. */
  async list(): Promise<readonly WaitingRun[]> {
    return this.#all({})
  }

  /** That of a conversation; the newest, should another process have left more than one. */
  async of(id: string): Promise<WaitingRun | undefined> {
    return (await this.#all({ conversation: id })).at(-1)
  }

  /** Nobody goes on from it any more. */
  async discard(stateId: string): Promise<void> {
    await this.#store.use(stateId)
  }

  async #all(query: PendingRunQuery): Promise<readonly WaitingRun[]> {
    const all: WaitingRun[] = []
    let cursor: string | undefined
    do {
      const asked = { ...query, tenant: TENANT, limit: ASKED_AT_ONCE, cursor }
      const page = await this.#store.list(asked)
      all.push(...page.runs.flatMap(waitingRun))
      cursor = page.cursor
    } while (cursor !== undefined)
    return all
  }
}

export interface WaitingRun extends PendingRun {
  readonly id: string
}

function waitingRun(run: PendingRun): readonly WaitingRun[] {
  const { conversation } = run
  return typeof conversation === 'object' ? [{ ...run, id: conversation.conversation }] : []
}

/** What the turn said of itself when it began. */
const FACTS = 'playground'

export const contextOf = (facts: TurnFacts) => ({ [FACTS]: facts as never })

export function factsOf({ context, messages, runId }: RunState, model: string): TurnFacts {
  const facts = context[FACTS] as TurnFacts | undefined
  if (typeof facts?.turn === 'string') return facts
  return { turn: runId, text: questionOf(messages), model }
}

export function questionOf(messages: RunState['messages']): string {
  const asked = messages.findLast(({ role }) => role === 'user')
  return asked?.role === 'user' ? textOfUser(asked) : ''
}
