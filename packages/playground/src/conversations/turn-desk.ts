/** The turns of all conversations: the one that is open or was last, of each. */
import { randomUUID } from 'node:crypto'
import { advisor, ChatClient, type ChatModel, type Message, type RunStore } from 'toolwright'
import type { PlaygroundModel } from '../playground-options.ts'
import type { Decide, StartAgain, Started, StartTurn } from '../protocol/routes.ts'
import { InTurn } from '../runs/in-turn.ts'
import { OnceByRequest } from '../runs/once-by-request.ts'
import type { Warn } from '../server/answer-error.ts'
import { Refusal } from '../server/refusal.ts'
import { shownPending } from '../shown/shown-pending.ts'
import type { ToolDesk } from '../tools/tool-desk.ts'
import type { TraceFiles } from '../traces/trace-files.ts'
import { keyOf, textOfUser, type ConversationBook } from './conversation-book.ts'
import { tellAgain } from './told-again.ts'
import { Turn, type TurnFacts } from './turn.ts'
import { contextOf, factsOf, type WaitingRuns } from './waiting-runs.ts'

export interface TurnDeskOptions {
  readonly models: readonly PlaygroundModel[]
  readonly system?: string | undefined
  readonly tools: ToolDesk
  readonly book: ConversationBook
  readonly waiting: WaitingRuns
  readonly runStore: RunStore
  readonly stateSecret: string
  readonly traces: TraceFiles
  readonly warn: Warn
  /** The turn of this conversation began, waits, goes on or has ended. */
  onChange(id: string): void
}

/** Turns at once. */
const MOST_RUNNING = 8
/** Turns that have ended and can still be followed. */
const ENDED_KEPT = 50

export class TurnDesk {
  readonly #options: TurnDeskOptions
  readonly #turns = new Map<string, Turn>()
  readonly #started = new OnceByRequest<Started>(500)
  readonly #inTurn = new InTurn()

  constructor(options: TurnDeskOptions) {
    this.#options = options
  }

  start(id: string, { requestId, text, model }: StartTurn): Promise<Started> {
    return this.#started.run(`${id}/${requestId}`, () =>
      this.#begin(id, async () => ({
        facts: { turn: randomUUID(), text, model, asked: await this.#options.book.count(id) },
        question: { role: 'user', content: text },
      })),
    )
  }

  again(id: string, { requestId, model }: StartAgain): Promise<Started> {
    return this.#started.run(`${id}/${requestId}`, () =>
      this.#begin(id, () => this.#askedLast(id, model)),
    )
  }

  /** As far as this process knows it: open, or ended a while ago. */
  known(id: string): Turn | undefined {
    return this.#turns.get(id)
  }

  /** The conversations whose turn runs or waits, as far as this process knows. */
  open(): readonly string[] {
    return [...this.#turns].filter(([, { status }]) => status !== 'ended').map(([id]) => id)
  }

  /** The open turn or the last one. One that waits since an earlier process is taken up. */
  find(id: string): Promise<Turn | undefined> {
    return this.#inTurn.run(id, () => this.#find(id))
  }

  async decide(id: string, { requestId, decisions }: Decide): Promise<void> {
    const turn = await this.find(id)
    if (!turn) throw new Refusal(409, 'decided', { message: 'Nothing waits here.' })
    await turn.decide(requestId, decisions)
  }

  async stop(id: string): Promise<void> {
    await (await this.find(id))?.stop()
  }

  /** Ends whatever is open, does the work, and forgets the turn. */
  close(id: string, work: () => Promise<void>): Promise<void> {
    return this.#inTurn.run(id, async () => {
      await (await this.#find(id))?.stop()
      await work()
      this.#turns.delete(id)
    })
  }

  /** The server ends. */
  async leave(): Promise<void> {
    await Promise.all([...this.#turns.values()].map((turn) => turn.leave()))
  }

  #begin(id: string, ask: () => Promise<Asking>): Promise<Started> {
    return this.#inTurn.run(id, async () => {
      const open = await this.#find(id)
      if (open) refuseOpen(open)
      const running = [...this.#turns.values()].filter(({ status }) => status === 'running')
      if (running.length >= MOST_RUNNING)
        throw new Refusal(429, 'too-many', {
          message: `${MOST_RUNNING} turns run already. Wait for one of them, or stop it.`,
        })
      const { facts, question } = await ask()
      const { client, turn } = this.#turnOf(id, facts, this.#modelOf(facts.model))
      const { book } = this.#options
      const remembered = await book.remembered(id, facts.replaces?.count ?? 0)
      const request = client.prompt([...remembered, question])
      // Should the process end before the turn does, it is there.
      if (facts.asked !== undefined) await book.keep(id, [question])
      turn.start(this.#equipped(id, request))
      this.#keepTurn(id, turn)
      return { id: turn.id }
    })
  }

  /** The last question, and what is stored of its turn. */
  async #askedLast(id: string, model: string): Promise<Asking> {
    const { book } = this.#options
    const total = await book.count(id)
    for (let last = 50; ; last *= 2) {
      const messages = await book.last(id, last)
      const at = messages.findLastIndex(({ role }) => role === 'user')
      const question = messages[at]
      if (question?.role === 'user') {
        const count = messages.length - at
        const replaces = { from: total - count, count }
        return {
          facts: { turn: randomUUID(), text: textOfUser(question), model, replaces },
          question,
        }
      }
      if (messages.length < last)
        throw new Refusal(409, 'nothing-asked', {
          message: 'Nothing was asked in this conversation yet. Ask something.',
        })
    }
  }

  async #find(id: string): Promise<Turn | undefined> {
    const known = this.#turns.get(id)
    if (known && known.status !== 'ended') return known
    const run = await this.#options.waiting.of(id)
    if (!run) return known
    const { models } = this.#options
    const facts = factsOf(run.state, models[0]!.id)
    const model = models.find((each) => each.id === facts.model) ?? models[0]!
    const { turn } = this.#turnOf(id, { ...facts, model: model.id }, model.model)
    await turn.takeUp(run, (log) => {
      tellAgain(run.state, log)
      if (model.id !== facts.model) log.add(otherModel(facts.model, model.label))
    })
    this.#keepTurn(id, turn)
    return turn
  }

  #turnOf(id: string, facts: TurnFacts, model: ChatModel) {
    const { system, tools, book, waiting, runStore, stateSecret, traces, warn } = this.#options
    const observer = traces.of(id)
    const said = advisor({
      name: 'playground',
      before: ({ context }) => void Object.assign(context, contextOf(facts)),
    })
    const client = ChatClient.create(model, {
      ...(system !== undefined && { system }),
      advisors: [said],
      runStore,
      stateSecret,
      observer,
    })
    const turn = new Turn({
      facts,
      firstEvent: Math.max(Date.now(), (this.#turns.get(id)?.events.last ?? 0) + 1),
      warn,
      resume: (state, decisions) => this.#equipped(id, client.resume(state, decisions)),
      discard: ({ id: stateId }) => waiting.discard(stateId),
      shown: async (pending) => {
        const callbacks = await tools.callbacks()
        return pending.map((each) => shownPending(each, callbacks))
      },
      keep: async ({ messages }) => {
        const said = turnOfMessages(messages)
        // Another server may have stopped the turn, and taken the question out.
        const isAsked = facts.asked !== undefined && (await book.count(id)) > facts.asked
        await book.keep(id, isAsked ? said.slice(1) : said, facts.replaces)
      },
      forget: async () => {
        if (facts.asked !== undefined) await book.forget(id, facts.asked)
      },
      onChange: ({ status }) => {
        if (status !== 'running') observer.close()
        this.#options.onChange(id)
      },
    })
    return { client, turn }
  }

  #equipped(id: string, request: ReturnType<ChatClient['prompt']>) {
    return request.tools(...this.#options.tools.runSources()).conversation(keyOf(id))
  }

  #modelOf(id: string): ChatModel {
    const chosen = this.#options.models.find((each) => each.id === id)
    if (chosen) return chosen.model
    throw new Refusal(400, 'unknown-model', {
      message: `There is no model "${id.slice(0, 80)}". Choose one of the list.`,
    })
  }

  /** The newest last; those that ended longest ago are forgotten. */
  #keepTurn(id: string, turn: Turn): void {
    this.#turns.delete(id)
    this.#turns.set(id, turn)
    const ended = [...this.#turns].filter(([, { status }]) => status === 'ended')
    for (const [old] of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT)))
      this.#turns.delete(old)
  }
}

interface Asking {
  readonly facts: TurnFacts
  readonly question: Message
}

function refuseOpen({ status }: Turn): void {
  if (status === 'running')
    throw new Refusal(409, 'busy', {
      message: 'A turn of this conversation runs. Wait for its end, or stop it.',
    })
  if (status === 'waiting')
    throw new Refusal(409, 'waiting', {
      message: 'The last turn waits for decisions. Decide, or stop it.',
    })
}

const otherModel = (gone: string, label: string) => ({
  type: 'notice' as const,
  code: 'other-model',
  message: `The model "${gone}" is not offered any more. ${label} goes on.`,
})

/** The question and everything that came of it. */
const turnOfMessages = (messages: readonly Message[]): readonly Message[] =>
  messages.slice(messages.findLastIndex(({ role }) => role === 'user'))
