/** A call that waits, between its questions and their answers. */
import type { InputRequest } from '@modelcontextprotocol/server'
import type { Decisions, Json, PendingCall } from 'toolwright'
import type { Asking, Form, Reading } from './form.ts'
import { missingFor, type Peer } from './peer.ts'
import { allQuestions, withProblem } from './questions.ts'
import { suppliedOutput } from './supplied-output.ts'
import type { ServedTool } from './tool-list.ts'

/** Answers by key, as clients sent them. */
export type Given = { readonly [key: string]: Json }

export type Asked =
  | { readonly kind: 'decided'; readonly decisions: Decisions }
  | {
      readonly kind: 'open'
      /** What is still to be asked. */
      readonly inputRequests: { readonly [key: string]: InputRequest }
      readonly asking: readonly Asking[]
      /** What was answered and need not be asked again. */
      readonly given: Given
    }

/** A call that waits, and the client that it waits for. */
export interface WaitingCall {
  readonly tool: ServedTool
  readonly pending: readonly PendingCall[]
  readonly peer: Peer
}

export interface ReceivedAnswers {
  readonly responses: Given
  /** They came before anything was asked: only keys that the tool gave count, so that no approval can be guessed. */
  readonly areEarly?: boolean
}

/** Reads the answers so far. Keys that the call did not ask for are ignored; what does not fit is asked again. */
export function readAnswers(
  { tool, pending, peer }: WaitingCall,
  { responses, areEarly = false }: ReceivedAnswers,
): Asked {
  const outputSchemaOf = (call: PendingCall) => suppliedOutput(tool.callback, call)
  const isOnly = pending.length === 1
  const { forms, decide } = allQuestions(pending, { outputSchemaOf, isOnly })
  const readings: { [key: string]: Reading } = {}
  const open: [string, Asking][] = []
  const given: { [key: string]: Json } = {}
  for (const [key, form] of Object.entries(forms)) {
    const counts = Object.hasOwn(responses, key) && (!areEarly || form.isNamed === true)
    const response = counts ? responses[key] : undefined
    const reading = readOne(form, response, peer)
    readings[key] = reading
    if (reading.kind === 'open') open.push([key, askedAgain(form, reading.problem).asks])
    else if (response !== undefined) given[key] = response
  }
  if (open.length === 0) return { kind: 'decided', decisions: decide(readings) }
  const asking = open.map(([, asks]) => asks)
  return { kind: 'open', asking, inputRequests: Object.fromEntries(open) as Requests, given }
}

type Requests = { readonly [key: string]: InputRequest }

function readOne(form: Form, response: Json | undefined, peer: Peer): Reading {
  if (form.isOptional && missingFor(peer, [form.asks])) return { kind: 'left-out' }
  const reading = form.read(response)
  return form.isOptional && reading.kind === 'declined' ? { kind: 'left-out' } : reading
}

const askedAgain = (form: Form, problem: string | undefined): Form =>
  problem === undefined ? form : withProblem(form, problem)
