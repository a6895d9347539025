/**
 * One run of an agent: the context as it grows, and what the model answered so far. Everything that must
 * survive a suspension is one JSON value, the record, which is part of the run's state.
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
import { compose, type CompositionOptions } from '../compose/compose-schema.ts'
import type { Composed } from '../compose/composed.ts'
import { DataStore } from '../context/data-store.ts'
import { readMessage, type Entry } from '../context/read-message.ts'

export interface AgentRecord {
  /** The messages appended to the context. */
  readonly messages: AgentMessage[]
  readonly calls: Call[]
  readonly errors: CallError[]
  meta: Meta
  /** The output as the model wrote it; null until then. */
  output: Json
  /** The messages before the context in a request: system messages and remembered ones. */
  before?: readonly Message[]
  /** Delegates that wait for decisions, by the id of their call. */
  readonly delegates: { [callId: string]: WaitingDelegate }
}

export interface WaitingDelegate {
  readonly state: RunState
  /** How often the delegate has asked so far. */
  readonly asked: number
}

export interface SessionSettings {
  readonly config: AgentConfig
  readonly output: OutputSource
  readonly registry: RegistrySnapshot
  /** Tools of `config.tools`, as definitions that come before those of the context. */
  readonly offered: readonly ToolDefinitionMessage['tool'][]
  readonly composition: CompositionOptions
}

export class AgentSession {
  readonly settings: SessionSettings
  readonly record: AgentRecord
  /** A mistake of the program that a call ran into. The model cannot correct it. */
  fault: { readonly error: unknown } | undefined
  /** Ids of calls whose activity returned a message. */
  readonly returnedMessages = new Set<string>()
  /** The high-water mark of the run's labels, passed to delegates; and the labels that delegates reached. */
  label: Label | undefined
  readonly labels = new Map<string, Label>()
  readonly #initialContext: readonly AgentMessage[]
  #entries: readonly Entry[] = []
  #store: DataStore | undefined
  #callbacks: { readonly composed: Composed; readonly tools: readonly ToolCallback[] } | undefined

  constructor(settings: SessionSettings, context: readonly AgentMessage[], record?: AgentRecord) {
    this.settings = settings
    this.#initialContext = context
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
    return [...this.#initialContext, ...this.record.messages]
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

  /** Composes what the model may answer now. */
  compose(calls = true): Composed {
    const { output, registry, offered, composition } = this.settings
    return compose({ ...composition, output, registry, offered, entries: this.entries, calls })
  }

  /** The callbacks of the tools that may run now. They are made once per composition. */
  callbacks(make: (composed: Composed) => readonly ToolCallback[]): readonly ToolCallback[] {
    const composed = this.compose()
    if (this.#callbacks?.composed !== composed)
      this.#callbacks = { composed, tools: make(composed) }
    return this.#callbacks.tools
  }

  /** The messages that a call's scopes allow: of these kinds, and of the call's instance or of none. */
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
