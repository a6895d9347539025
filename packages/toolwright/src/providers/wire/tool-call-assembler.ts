/**
 * Puts streamed tool calls together, whatever names the call a piece belongs to: an index, an id, both, a
 * wrong one, neither. An id that differs is another call, whatever the index says, unless the piece can only
 * be the next of an open one: some servers make up an id for every piece. A piece without an id belongs to the
 * newest call of its index, or to the newest at all.
 */
import { ModelResponseError } from '../../errors/errors.ts'
import type { Json } from '../../messages/json.ts'
import type { ToolCall } from '../../messages/message.ts'
import { shorten } from '../../schema/describe-value.ts'
import type { AnswerEvents } from './answer-events.ts'
import { GrowingText } from './growing-text.ts'
import { JsonValue } from './json-value.ts'
import { completeArguments } from './wire-value.ts'

/** A call, or a piece of one. */
export interface CallPiece {
  /** Absent when the provider gives none, or gave it before. */
  readonly id?: string | undefined
  readonly index?: number | undefined
  /** The tool's name or a piece of it. A name that is repeated is not a piece. */
  readonly name?: string | undefined
  /** Raw JSON text; empty when this piece has none. */
  readonly arguments: string
  /** Goes back with the call; the first that is given counts. */
  readonly providerData?: Json | undefined
}

interface OpenCall {
  id: string
  name: string
  readonly arguments: GrowingText
  hasStarted: boolean
  providerData: Json | undefined
  readonly index: number | undefined
  /** Follows the arguments from the second time on that the name is sent. */
  value: JsonValue | undefined
}

export class ToolCallAssembler {
  readonly #events: AnswerEvents
  readonly #calls: OpenCall[] = []
  /** The newest call of each index. */
  readonly #byIndex = new Map<number, OpenCall>()
  /** The newest call of each id, and of each id under an index. */
  readonly #byId = new Map<string, OpenCall>()

  constructor(events: AnswerEvents) {
    this.#events = events
  }

  take(piece: CallPiece): void {
    const call = this.#find(piece) ?? this.#open(piece)
    if (call.id === '' && piece.id !== undefined) this.#giveId(call, piece.id)
    if (piece.name !== undefined) addName(call, piece.name)
    call.providerData ??= piece.providerData
    if (piece.arguments === '') return
    this.#start(call)
    call.arguments.add(piece.arguments)
    call.value?.add(piece.arguments)
    this.#events.callDelta(call.id, piece.arguments)
  }

  /** Every call so far, complete. Only called once the stream said that it is. */
  finish(): readonly ToolCall[] {
    return this.#calls.map((call) => {
      this.#start(call)
      return completeCall({ ...call, arguments: call.arguments.toString() })
    })
  }

  #find(piece: CallPiece): OpenCall | undefined {
    if (piece.id !== undefined) return this.#findById(piece)
    const newest = this.#newest(piece.index)
    return newest !== undefined && startsAnother(newest, piece) ? undefined : newest
  }

  /** The same id under another index is another call: some models repeat ids. */
  #findById(piece: CallPiece): OpenCall | undefined {
    const { id, index } = piece
    const newest = this.#newest(index)
    if (newest?.id === id) return newest
    if (newest?.id === '' && !startsAnother(newest, piece)) return newest
    const known = this.#byId.get(idKey(id!, index))
    if (known !== undefined || newest === undefined) return known
    return goesOn(newest, piece) ? newest : undefined
  }

  #newest(index: number | undefined): OpenCall | undefined {
    return index === undefined ? this.#calls.at(-1) : this.#byIndex.get(index)
  }

  #open({ id = '', index }: CallPiece): OpenCall {
    const call: OpenCall = {
      id,
      name: '',
      arguments: new GrowingText(),
      hasStarted: false,
      providerData: undefined,
      index,
      value: undefined,
    }
    this.#calls.push(call)
    if (index !== undefined) this.#byIndex.set(index, call)
    if (id !== '') this.#giveId(call, id)
    return call
  }

  #giveId(call: OpenCall, id: string): void {
    call.id = id
    this.#byId.set(idKey(id), call)
    if (call.index !== undefined) this.#byId.set(idKey(id, call.index), call)
  }

  /** The start comes with the first argument, when the name cannot grow any more. */
  #start(call: OpenCall): void {
    if (call.hasStarted) return
    call.hasStarted = true
    this.#events.callStart(call.id, call.name)
  }
}

const idKey = (id: string, index?: number): string => `${index ?? ''}/${id}`

export function completeCall(call: Omit<CallPiece, 'index'>): ToolCall {
  return {
    type: 'tool-call',
    id: call.id ?? '',
    name: call.name ?? '',
    arguments: completeArguments(call.arguments),
    ...(call.providerData != null && { providerData: call.providerData }),
  }
}

function addName(call: OpenCall, name: string): void {
  if (name === call.name) return
  if (!call.hasStarted) call.name += name
  else throw changedName(call.name, name)
}

function changedName(before: string, after: string): ModelResponseError {
  const message = `A tool call changed its name from "${shorten(before)}" to "${shorten(after)}" inside its arguments.`
  return new ModelResponseError('invalid-response', message)
}

/** A call begins with a name, and its arguments with a brace. */
function goesOn(call: OpenCall, { name, arguments: text }: CallPiece): boolean {
  if (name === undefined) return true
  if (name !== call.name || text === '' || text.startsWith('{') || call.arguments.isEmpty)
    return false
  call.value ??= new JsonValue(call.arguments.toString())
  return !call.value.hasEnded
}

/** A piece that names a tool and begins new arguments after complete ones is the next call. */
function startsAnother(call: OpenCall, piece: CallPiece): boolean {
  if (piece.name === undefined || call.name === '') return false
  if (piece.name === call.name && !piece.arguments.startsWith('{')) return false
  call.value ??= new JsonValue(call.arguments.toString())
  return call.value.hasEnded && call.value.isValid(() => call.arguments.toString())
}
