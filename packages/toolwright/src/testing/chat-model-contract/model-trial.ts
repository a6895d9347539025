/** One case of the chat model suite at work: its models, and guarded ways to ask them. */
import { wrong, type ContractCase } from '../contract-case.ts'
import { DEFAULT_PATIENCE_MS, rejected, resolved } from '../settling.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { ChatModel, ChatOptions, ModelRun, Prompt } from '../../model/chat-model.ts'
import { tool } from '../../tools/tool.ts'
import type { ChatModelContractSetup, ContractTurn, ModelUnderTest } from './model-under-test.ts'

export interface ModelCase {
  readonly name: string
  /** What the provider answers, request by request. */
  readonly turns: readonly ContractTurn[]
  /** The model's own options. */
  readonly defaults?: ChatOptions
  check(trial: ModelTrial): Promise<void>
}

export const toContractCase = (
  setup: ChatModelContractSetup,
  modelCase: ModelCase,
): ContractCase => ({
  name: modelCase.name,
  async run() {
    const trial = new ModelTrial(setup, modelCase)
    try {
      await modelCase.check(trial)
    } finally {
      await trial.close()
    }
  },
})

export const MODES = ['call', 'stream'] as const
export type Mode = (typeof MODES)[number]

export class ModelTrial {
  readonly patienceMs: number
  readonly #setup: ChatModelContractSetup
  readonly #case: ModelCase
  readonly #opened: ModelUnderTest[] = []

  constructor(setup: ChatModelContractSetup, modelCase: ModelCase) {
    this.#setup = setup
    this.#case = modelCase
    this.patienceMs = setup.patienceMs ?? DEFAULT_PATIENCE_MS
  }

  /** A fresh model at the start of the script. */
  async model(): Promise<ChatModel> {
    const opened = await this.#setup.create(this.#case.turns, this.#case.defaults ?? {})
    this.#opened.push(opened)
    return opened.model
  }

  /** What the models of this trial sent, in order. */
  sent(): readonly string[] {
    return this.#opened.flatMap((opened) => {
      if (opened.sent) return opened.sent()
      throw wrong('seesRequests is set, but create() gave no sent().')
    })
  }

  get seesRequests(): boolean {
    return this.#setup.seesRequests ?? false
  }

  call(model: ChatModel, prompt: Prompt = PROMPT, run?: ModelRun): Promise<ChatResponse> {
    const work = promised(() => model.call(prompt, run))
    return resolved({ work, what: 'model.call()', patienceMs: this.patienceMs })
  }

  stream(model: ChatModel, prompt: Prompt = PROMPT, run?: ModelRun): Promise<readonly ChatEvent[]> {
    const work = promised(() => eventsOf(model.stream(prompt, run)))
    return resolved({ work, what: 'model.stream()', patienceMs: this.patienceMs })
  }

  /** What asking in this mode rejects with. */
  rejection(mode: Mode, work: Promise<unknown>): Promise<unknown> {
    return rejected({ work, what: `model.${mode}()`, patienceMs: this.patienceMs })
  }

  async close(): Promise<void> {
    for (const opened of this.#opened) await opened.close?.()
  }
}

export const asked = (mode: Mode, model: ChatModel, question: Question = {}): Promise<unknown> => {
  const { prompt = PROMPT, run, seen } = question
  return promised<unknown>(() =>
    mode === 'call' ? model.call(prompt, run) : eventsOf(model.stream(prompt, run), seen),
  )
}

export interface Question {
  readonly prompt?: Prompt
  readonly run?: ModelRun
  /** Told each event of a stream. */
  readonly seen?: (event: ChatEvent) => void
}

/** A model that throws instead of rejecting rejects. */
const promised = async <T>(ask: () => Promise<T>): Promise<T> => ask()

async function eventsOf(
  stream: AsyncIterable<ChatEvent>,
  seen: (event: ChatEvent) => void = () => {},
): Promise<readonly ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of stream) {
    events.push(event)
    seen(event)
  }
  return events
}

export const weather = tool({
  name: 'weather',
  description: 'The weather of a city, for the contract suite',
  input: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city' } },
    required: ['city'],
  },
  execute: () => 'sunny',
})

export const localTime = tool({
  name: 'local_time',
  description: 'The time of day, for the contract suite',
  execute: () => 'noon',
})

export const PROMPT: Prompt = {
  messages: [{ role: 'user', content: 'How is the weather in Paris?' }],
  options: { tools: [weather, localTime] },
}
