/**
 * Puts streamed tool calls together. Servers disagree on how a piece names its call: by index, by id,
 * by both, by a wrong one, by neither. Here an id that differs is another call, whatever the index
 * says; a piece without an id belongs to the newest call of its index, or to the newest at all.
 */
import { ModelResponseError } from '../../errors/errors.ts'
import type { ChatEvent } from '../../messages/chat-event.ts'
import type { Json } from '../../messages/json.ts'
import type { ToolCall } from '../../messages/message.ts'
import { argumentsText, completeCall, isObject, isText } from './from-wire.ts'
import type { WireFunction, WireToolCall } from './wire-types.ts'

interface OpenCall {
  id: string
  name: string
  /** Only appended to: V8 joins the pieces when the text is first read. */
  arguments: string
  started: boolean
  extraContent: Json | undefined
  readonly index: number | undefined
}

interface Piece {
  readonly id: string | undefined
  readonly index: number | undefined
  readonly name: string | undefined
  readonly arguments: string
  readonly extraContent: Json | undefined
}

export type Emit = (event: ChatEvent) => void

export class ToolCallAssembler {
  readonly #calls: OpenCall[] = []
  /** The newest call of each index. */
  readonly #byIndex = new Map<number, OpenCall>()

  /** One `tool_calls` list of a delta. */
  take(entries: readonly (WireToolCall | null)[], emit: Emit): void {
    entries.forEach((entry, position) => {
      if (!isObject(entry) || !isObject(entry.function)) return
      // Without an index, entries side by side in one delta are different calls.
      const index = indexOf(entry.index) ?? (entries.length > 1 ? position : undefined)
      this.#takePiece(pieceOf(entry, entry.function, index), emit)
    })
  }

  /** Every call so far, complete. Only called once the stream said that it is. */
  finish(emit: Emit): readonly ToolCall[] {
    return this.#calls.map((call) => {
      start(call, emit)
      return completeCall(call)
    })
  }

  #takePiece(piece: Piece, emit: Emit): void {
    const call = this.#find(piece) ?? this.#open(piece)
    if (call.id === '' && piece.id !== undefined) call.id = piece.id
    if (piece.name !== undefined) addName(call, piece.name)
    call.extraContent ??= piece.extraContent
    if (piece.arguments === '') return
    start(call, emit)
    call.arguments += piece.arguments
    emit({ type: 'tool-call-delta', id: call.id, delta: piece.arguments })
  }

  #find(piece: Piece): OpenCall | undefined {
    if (piece.id !== undefined) return this.#findById(piece)
    const newest = this.#newest(piece.index)
    return newest !== undefined && startsAnother(newest, piece) ? undefined : newest
  }

  /** The same id under another index is another call: some models repeat ids. */
  #findById(piece: Piece): OpenCall | undefined {
    const { id, index } = piece
    const newest = this.#newest(index)
    if (newest?.id === id) return newest
    if (newest?.id === '' && !startsAnother(newest, piece)) return newest
    return this.#calls.findLast(
      (call) => call.id === id && (index === undefined || call.index === index),
    )
  }

  #newest(index: number | undefined): OpenCall | undefined {
    return index === undefined ? this.#calls.at(-1) : this.#byIndex.get(index)
  }

  #open(piece: Piece): OpenCall {
    const { index } = piece
    const call: OpenCall = {
      id: piece.id ?? '',
      name: '',
      arguments: '',
      started: false,
      extraContent: undefined,
      index,
    }
    this.#calls.push(call)
    if (index !== undefined) this.#byIndex.set(index, call)
    return call
  }
}

function pieceOf(entry: WireToolCall, fn: WireFunction, index: number | undefined): Piece {
  return {
    id: isText(entry.id) ? entry.id : undefined,
    index,
    name: isText(fn.name) ? fn.name : undefined,
    arguments: argumentsText(fn.arguments),
    extraContent: entry.extra_content,
  }
}

/** Indexes come as numbers and as strings of digits. */
function indexOf(index: unknown): number | undefined {
  const number = typeof index === 'string' && index.trim() !== '' ? Number(index) : index
  return typeof number === 'number' && Number.isInteger(number) ? number : undefined
}

/** The start comes with the first argument, when the name cannot grow any more. */
function start(call: OpenCall, emit: Emit): void {
  if (call.started) return
  call.started = true
  emit({ type: 'tool-call-start', id: call.id, name: call.name })
}

/** A name may come in pieces before the arguments; a name that is repeated is not a piece. */
function addName(call: OpenCall, name: string): void {
  if (name === call.name) return
  if (!call.started) call.name += name
  else throw changedName(call.name, name)
}

function changedName(before: string, after: string): ModelResponseError {
  const message = `A tool call changed its name from "${before}" to "${after}" inside its arguments.`
  return new ModelResponseError('invalid-response', message)
}

/** A piece without an id that names a tool and begins new arguments after complete ones is the next call. */
function startsAnother(call: OpenCall, piece: Piece): boolean {
  if (piece.name === undefined || call.name === '') return false
  if (!call.arguments.endsWith('}')) return false
  if (piece.name === call.name && !piece.arguments.startsWith('{')) return false
  try {
    JSON.parse(call.arguments)
    return true
  } catch {
    return false
  }
}
