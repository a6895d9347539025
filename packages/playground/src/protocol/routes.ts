/**
 * What the page may ask of its server, as the paths and bodies that go over HTTP. Types only: the page and the server
 * share them and nothing else.
 *
 * Every request carries the token in the header `x-toolwright-token`. Bodies are JSON. What starts something carries a
 * `requestId` that the page makes up: the same id again is the same request, and starts nothing a second time.
 *
 * | method, path                                   | body → answer                                                       |
 * | ---------------------------------------------- | ------------------------------------------------------------------- |
 * | GET /api/session                               | → Session                                                           |
 * | GET /api/news                                  | → events: NewsEvent                                                 |
 * | GET /api/tools                                 | → ToolList                                                          |
 * | GET /api/calls                                 | → CallList                                                          |
 * | POST /api/calls                                | StartCall → 202 Started, 422 Refused with issues                    |
 * | GET /api/calls/{id}/events?after=n             | → events: HandCallEvent                                             |
 * | POST /api/calls/{id}/decisions                 | Decide → 202, 409 decided already, 422 the decisions do not fit     |
 * | POST /api/calls/{id}/stop                      | → 202                                                               |
 * | GET /api/conversations?cursor=                 | → ConversationList                                                  |
 * | POST /api/conversations                        | → 201 Started: an id; nothing is kept before its first turn         |
 * | GET /api/conversations/{id}?before=n           | → ConversationPage: the newest messages, or those before a number   |
 * | DELETE /api/conversations/{id}                 | → 204                                                               |
 * | POST /api/conversations/{id}/turns             | StartTurn → 202 Started, 409 while one runs or waits                |
 * | POST /api/conversations/{id}/regenerate        | StartAgain → 202 Started: the last question is asked again          |
 * | GET /api/conversations/{id}/events?after=n     | → events: TurnEvent of the open or last turn, from its beginning    |
 * | … &until=waiting                               | → the same, until the turn waits for a person                       |
 * | POST /api/conversations/{id}/decisions         | Decide → 202, 409 decided already, 422 the decisions do not fit     |
 * | POST /api/conversations/{id}/stop              | → 202                                                               |
 * | GET /api/conversations/{id}/trace              | → OpenedTrace of its runs                                           |
 * | POST /api/conversations/{id}/export            | → Export: a cassette and a test that replays it                     |
 * | POST /api/traces?name=                         | the text of a trace file or a cassette → OpenedTrace, 422           |
 * | GET /api/inbox                                 | → Inbox                                                             |
 *
 * "events" are server-sent events: `id` is the number of the event, `data` its JSON. `after` is the number of the last one
 * that the page has. They end with the turn or the call; news never end. Numbers of turns grow within a conversation, also
 * over a restart of the server: a `start` after other events is a turn that is told from its beginning.
 * Whatever is refused is answered with `Refused` and a status of 400 to 599.
 */
import type { Decisions, Json, JsonObject } from 'toolwright'
import type { HandCallEnd } from './hand-call.ts'
import type { FieldIssue } from './shown-content.ts'

/** What every page knows first. */
export interface Session {
  readonly version: string
  /** Where the tools come from: names of files and of MCP servers. */
  readonly sources: readonly string[]
  /** The first is taken unless the person chooses another. Never empty. */
  readonly models: readonly ModelChoice[]
  /** Whether conversations can be exported as tests. */
  readonly canExport: boolean
}

export interface ModelChoice {
  /** What `StartTurn` names. */
  readonly id: string
  readonly label: string
  /** It follows rules and is no language model. */
  readonly isDemo: boolean
}

export interface Started {
  readonly id: string
}

export interface Refused {
  readonly error: {
    /** Of the catalogue of errors, or one of the server's own: `busy`, `not-found`, `no-token`, … */
    readonly code: string
    /** What happened and what to do. */
    readonly message: string
    /** What is wrong with what was given, field by field. */
    readonly issues?: readonly FieldIssue[]
    /** The call whose decision does not fit. */
    readonly callId?: string
  }
}

export interface StartCall {
  readonly requestId: string
  readonly tool: string
  readonly input: Json
  /** What the tool gets as its context. */
  readonly context?: JsonObject
}

/** The calls by hand that are still kept, of all pages. */
export interface CallList {
  /** Newest first. */
  readonly calls: readonly CallRow[]
}

export interface CallRow {
  readonly id: string
  readonly tool: string
  readonly input: Json
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly status: 'running' | 'waiting' | 'ended'
  /** How it ended. What came of it is among its events. */
  readonly end?: Pick<HandCallEnd, 'status' | 'durationMs'>
}

export interface StartTurn {
  readonly requestId: string
  readonly text: string
  /** The id of a `ModelChoice`. */
  readonly model: string
}

export type StartAgain = Omit<StartTurn, 'text'>

/** Some or all of what waits. What is not named goes on waiting. */
export interface Decide {
  readonly requestId: string
  readonly decisions: Decisions
}

export interface Export {
  readonly files: readonly { readonly name: string; readonly text: string }[]
  /** What is worth knowing, e.g. where the files belong. */
  readonly notes: readonly string[]
}
