/**
 * One run of an agent: the context as it grows, and what was asked of the model so far. All of it that
 * must survive a suspension is one JSON value, the record, which travels in the run's state.
 */
import type { Json } from '../../messages/json.ts'
import type { Label, Message } from '../../messages/message.ts'
import type { RunState } from '../../messages/run-state.ts'
import type { ToolCallback } from '../../tools/tool-callback.ts'
import type { AgentConfig, OutputSource } from '../agent-config.ts'
import type {
  AgentMessage,
  Call,
  CallError,
  Meta,
  ToolDefinitionMessage,
} from '../agent-message.ts'
import type { RegistrySnapshot } from '../registry/agent-registry.ts'
import { compose, type Composed, type CompositionOptions } from '../compose/compose-schema.ts'
import { DataStore } from '../context/data-store.ts'
import { readMessage, type Entry } from '../context/read-message.ts'

export interface AgentRecord {
  /** What was appended to the context. */
  readonly messages: AgentMessage[]
  readonly calls: Call[]
  readonly errors: CallError[]
  meta: Meta
  /** As the model wrote it; null until then. */
  output: Json
  /** What stands before the context in a request: system messages, remembered ones. */
  before?: readonly Message[]
  /** Delegates that wait for decisions, by the id of their call. */
  readonly delegates: { [callId: string]: WaitingDelegate }
}

export interface WaitingDelegate {
  readonly state: RunState
  /** How often it has asked so far. */
  readonly asked: number
}

export interface SessionSettings {
  readonly config: AgentConfig
  readonly output: OutputSource
  readonly registry: RegistrySnapshot
  /** Tools of `config.tools`, as definitions that stand before those of the context. */
  readonly offered: readonly ToolDefinitionMessage['tool'][]
  readonly composition: CompositionOptions
}

export class AgentSession {
  readonly settings: SessionSettings
  readonly record: AgentRecord
  /** A mistake of the program that a call came upon: no model can correct it. */
  fault: { readonly error: unknown } | undefined
  /** Ids of calls whose activity returned a message. */
  readonly returnedMessages = new Set<string>()
  /** The high-water mark of all labels the run has met, for delegates, and what delegates have met. */
  label: Label | undefined
  readonly labels = new Map<string, Label>()
  readonly #given: readonly AgentMessage[]
  #entries: readonly Entry[] = []
  #store: DataStore | undefined
  #callbacks: { readonly composed: Composed; readonly tools: readonly ToolCallback[] } | undefined

  constructor(settings: SessionSettings, context: readonly AgentMessage[], record?: AgentRecord) {
    this.settings = settings
    this.#given = context
    this.record = record ?? {
      messages: [],
      calls: [],
      errors: [],
      meta: {},
      output: null,
      delegates: {},
    }
  }

  get messages(): readonly AgentMessage[] {
    return [...this.#given, ...this.record.messages]
  }

  get entries(): readonly Entry[] {
    const { messages } = this
    if (messages.length !== this.#entries.length) this.#entries = messages.map(readMessage)
    return this.#entries
  }

  get store(): DataStore {
    return (this.#store ??= new DataStore(this.entries))
  }

  append(messages: readonly AgentMessage[]): void {
    this.record.messages.push(...messages)
    this.#store = undefined
  }

  /** What the model may answer now. */
  compose(calls = true): Composed {
    const { output, registry, offered, composition } = this.settings
    return compose({ ...composition, output, registry, offered, entries: this.entries, calls })
  }

  /** The tools that may run now, for whoever runs them. */
  callbacks(make: (composed: Composed) => readonly ToolCallback[]): readonly ToolCallback[] {
    const composed = this.compose()
    if (this.#callbacks?.composed !== composed)
      this.#callbacks = { composed, tools: make(composed) }
    return this.#callbacks.tools
  }

  /** The messages that a call's scopes let through: of these kinds, of its instance or of all. */
  scoped({ _scopes = [], _instance }: Call): readonly AgentMessage[] {
    const { messages } = this
    return this.entries.flatMap((entry, index) => {
      const kind = entry.type === 'data' ? entry.kind : entry.type
      const instance = entry.type === 'data' ? entry.instance : undefined
      const isVisible = instance === undefined || instance === _instance
      return isVisible && _scopes.includes(kind) ? [messages[index]!] : []
    })
  }
}
