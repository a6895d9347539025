/** Conversations as pages list, open, delete and export them, and the inbox of all of them. */
import { randomUUID } from 'node:crypto'
import { redact, type Message } from 'toolwright'
import type { News } from '../news/news.ts'
import type { PlaygroundOptions } from '../playground-options.ts'
import type {
  ConversationList,
  ConversationPage,
  ConversationRow,
  ConversationStatus,
  Inbox,
} from '../protocol/conversation.ts'
import type { OpenedTrace } from '../protocol/opened-trace.ts'
import type { Export, Started } from '../protocol/routes.ts'
import { wordsOf, type Warn } from '../server/answer-error.ts'
import { notFound, Refusal } from '../server/refusal.ts'
import { shownPending } from '../shown/shown-pending.ts'
import type { ToolDesk } from '../tools/tool-desk.ts'
import type { TraceFiles } from '../traces/trace-files.ts'
import { titleOf, type ConversationBook } from './conversation-book.ts'
import { conversationPage } from './conversation-page.ts'
import type { Turn } from './turn.ts'
import type { TurnDesk } from './turn-desk.ts'
import { questionOf, type WaitingRun, type WaitingRuns } from './waiting-runs.ts'

export interface ConversationsOptions {
  readonly book: ConversationBook
  readonly turns: TurnDesk
  readonly waiting: WaitingRuns
  readonly tools: ToolDesk
  readonly traces: TraceFiles
  readonly news: News
  readonly warn: Warn
  readonly exportConversation: PlaygroundOptions['exportConversation']
  readonly system: PlaygroundOptions['system']
}

/** Ids that were given out and have no messages yet. */
const FRESH_KEPT = 1000

export class Conversations {
  readonly #options: ConversationsOptions
  readonly #fresh = new Set<string>()
  #told: Promise<void> = Promise.resolve()

  constructor(options: ConversationsOptions) {
    this.#options = options
  }

  create(): Started {
    const id = randomUUID()
    this.#fresh.add(id)
    const [oldest] = this.#fresh
    if (this.#fresh.size > FRESH_KEPT) this.#fresh.delete(oldest!)
    return { id }
  }

  /** Rejects if there is no such conversation. */
  async check(id: string): Promise<void> {
    const { book, turns, waiting } = this.#options
    if (this.#fresh.has(id) || turns.known(id)) return
    if ((await book.count(id)) > 0 || (await waiting.of(id))) return
    throw notFound('There is no such conversation. It was deleted, or nothing of it was kept.')
  }

  async list(cursor: string | undefined): Promise<ConversationList> {
    const { book, waiting } = this.#options
    const runs = await waiting.list()
    const page = await book.list(cursor)
    const rows: ConversationRow[] = []
    for (const { id, changedAt } of page.stored)
      rows.push({
        id,
        title: (await book.title(id)) ?? '',
        changedAt: this.#begunAt(id, runs) ?? changedAt,
        status: this.#status(id, runs),
      })
    if (cursor === undefined) rows.push(...(await this.#unstored(rows, runs)))
    return {
      conversations: rows.sort((one, other) => other.changedAt - one.changedAt),
      ...(page.cursor !== undefined && { cursor: page.cursor }),
    }
  }

  async page(id: string, before: number | undefined): Promise<ConversationPage> {
    await this.check(id)
    const open = await this.#options.turns.find(id)
    // What the open turn tells itself, or would replace, is not shown beside it.
    const { asked, replaces } = open && open.status !== 'ended' ? open.facts : {}
    const end = Math.min(before ?? Infinity, replaces?.from ?? Infinity, asked ?? Infinity)
    const query = { id, before: end === Infinity ? undefined : end }
    return { row: await this.#row(id), ...(await conversationPage(this.#options.book, query)) }
  }

  async delete(id: string): Promise<void> {
    await this.check(id)
    const { book, turns, waiting, traces, news } = this.#options
    await turns.close(id, async () => {
      for (let run = await waiting.of(id); run; run = await waiting.of(id))
        await waiting.discard(run.stateId)
      await book.delete(id)
      await traces.delete(id)
    })
    this.#fresh.delete(id)
    await this.#told
    news.deleted(id)
    this.#tell(() => this.#tellInbox())
  }

  async inbox(): Promise<Inbox> {
    const runs = await this.#options.waiting.list()
    const callbacks = runs.length > 0 ? await this.#options.tools.callbacks() : []
    return {
      waiting: await Promise.all(
        runs.map(async (run) => ({
          conversation: { ...(await this.#row(run.id, run)), status: this.#status(run.id, runs) },
          since: run.savedAt,
          pending: run.pending.map((each) => shownPending(each, callbacks)),
        })),
      ),
    }
  }

  /** How many calls wait. */
  async waiting(): Promise<number> {
    const runs = await this.#options.waiting.list()
    return runs.reduce((calls, { pending }) => calls + pending.length, 0)
  }

  async trace(id: string): Promise<OpenedTrace> {
    await this.check(id)
    const { title } = await this.#row(id)
    return this.#options.traces.read(id, title)
  }

  async export(id: string): Promise<Export> {
    const { exportConversation, book, turns, system } = this.#options
    await this.check(id)
    if (!exportConversation)
      throw new Refusal(404, 'no-export', { message: 'This playground exports nothing.' })
    refuseUnfinished((await turns.find(id))?.status)
    const said = await book.all(id)
    if (said.length === 0)
      throw new Refusal(409, 'nothing-asked', {
        message: 'Nothing is kept of this conversation yet. Ask something first.',
      })
    const messages: readonly Message[] =
      system === undefined ? said : [{ role: 'system', content: system }, ...said]
    const made = await exportConversation({ id, title: (await book.title(id)) ?? '', messages })
    if ('problem' in made) throw new Refusal(409, 'not-exported', { message: redact(made.problem) })
    return made
  }

  /** Tells all pages how a conversation is now. */
  changed(id: string): void {
    this.#tell(async () => {
      this.#options.news.conversation(await this.#row(id))
      await this.#tellInbox()
    })
  }

  /** What pages are still to hear. */
  settled(): Promise<void> {
    return this.#told
  }

  /** In the order in which it happened. */
  #tell(work: () => Promise<void>): void {
    this.#told = this.#told.then(work).catch((thrown: unknown) => {
      this.#options.warn(`Pages were not told of a change: ${wordsOf(thrown)}`)
    })
  }

  async #tellInbox(): Promise<void> {
    this.#options.news.inbox(await this.waiting())
  }

  /** Those whose first turn is open: nothing of them is stored yet. */
  async #unstored(
    rows: readonly ConversationRow[],
    runs: readonly WaitingRun[],
  ): Promise<readonly ConversationRow[]> {
    const { book, turns } = this.#options
    const open = new Set([...turns.open(), ...runs.map(({ id }) => id)])
    for (const { id } of rows) open.delete(id)
    const unstored: ConversationRow[] = []
    for (const id of open)
      if ((await book.count(id)) === 0) {
        const run = runs.find((each) => each.id === id)
        unstored.push({ ...(await this.#row(id, run)), status: this.#status(id, runs) })
      }
    return unstored
  }

  async #row(id: string, known?: WaitingRun): Promise<ConversationRow> {
    const { book, turns, waiting } = this.#options
    // A turn of an earlier process is not known before it is taken up.
    const run = known ?? (turns.known(id) ? undefined : await waiting.of(id))
    const turn = turns.known(id)
    const asked = turn?.facts.text ?? (run ? questionOf(run.state.messages) : '')
    return {
      id,
      title: (await book.title(id)) ?? titleOf(asked),
      changedAt:
        this.#begunAt(id, run ? [run] : []) ??
        (await book.changedAt(id)) ??
        turn?.startedAt ??
        Date.now(),
      status: this.#status(id, run ? [run] : []),
    }
  }

  /** When the turn began that runs or waits. */
  #begunAt(id: string, runs: readonly WaitingRun[]): number | undefined {
    const turn = this.#options.turns.known(id)
    if (turn && turn.status !== 'ended') return turn.startedAt
    return runs.find((run) => run.id === id)?.savedAt
  }

  #status(id: string, runs: readonly WaitingRun[]): ConversationStatus {
    const status = this.#options.turns.known(id)?.status
    if (status === 'running' || status === 'waiting') return status
    return runs.some((run) => run.id === id) ? 'waiting' : 'idle'
  }
}

/** An export has whole turns. */
function refuseUnfinished(status: Turn['status'] | undefined): void {
  if (status === 'waiting')
    throw new Refusal(409, 'waiting', { message: 'Decide what waits first.' })
  if (status === 'running')
    throw new Refusal(409, 'busy', { message: 'Wait until the turn is over.' })
}
