/**
 * Reads a trace line by line. Lines that are no JSON, or not what they should be, are left out and said: the last
 * line of a process that was killed, lines that a disk had no room for. The first line that is JSON must say a
 * version that is known here.
 */
import { TraceError } from '../../errors/errors.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { ObservationKind } from '../../observation/observer.ts'
import type { TraceEventFacts } from '../trace-line.ts'
import type { Trace, TraceProblem } from '../trace.ts'
import { buildTrace } from './build-trace.ts'
import { versionProblem } from './header-problem.ts'
import { fieldsIn, isFields, listIn, numberIn, textIn, type Fields } from './line-fields.ts'
import type { TraceNode } from './trace-node.ts'

const KINDS: readonly string[] = ['client', 'advisor', 'round', 'model', 'tool']
/** Runs inside runs: deeper ones stand outside. */
const DEEPEST = 500
/** A file that is none of ours need not be listed line by line. */
const MOST_PROBLEMS = 100

export class TraceReader {
  readonly #nodes = new Map<string, TraceNode>()
  readonly #outer: TraceNode[] = []
  /** What the model of a client was sent last. */
  readonly #sent = new WeakMap<TraceNode, readonly JsonObject[]>()
  readonly #problems: TraceProblem[] = []
  #line = 0
  #isTrace = false
  #content = false

  /** Takes the next line, without its end. Throws a TraceError if the file is no trace, or one of another version. */
  add(line: string): void {
    this.#line++
    if (line.trim() === '') return
    const fields = parsed(line)
    if (!isFields(fields)) return this.#problem('It is cut off, or no JSON.')
    if (!this.#isTrace) this.#begin(fields)
    if (!this.#take(fields)) this.#problem('It is not understood.')
  }

  /** Everything read so far. May be asked again when there are more lines. */
  trace(): Trace {
    // An empty file has lost nothing, but a file of torn lines only is no trace.
    if (!this.#isTrace) throw unreadable('There is no line of a trace in it.')
    return buildTrace(this.#outer, { content: this.#content, problems: [...this.#problems] })
  }

  #begin(fields: Fields): void {
    const problem = versionProblem(fields)
    if (problem !== undefined && textIn(fields, 'type') === 'trace' && 'version' in fields)
      throw new TraceError('trace-version', problem)
    if (problem !== undefined) throw unreadable(problem)
    this.#isTrace = true
  }

  /** False: the line is not what it should be. */
  #take(fields: Fields): boolean {
    const at = numberIn(fields, 'at')
    const writer = textIn(fields, 'writer')
    if (at === undefined || writer === undefined) return false
    switch (textIn(fields, 'type')) {
      case 'trace':
        return this.#header(fields)
      case 'lost':
        this.#problem(
          `${numberIn(fields, 'lines') ?? 'Some'} lines before it could not be written.`,
        )
        return true
      case 'start':
        return this.#start(fields, writer, at)
      case undefined:
        return false
      default:
        return this.#more(fields, writer, at)
    }
  }

  #header(fields: Fields): boolean {
    this.#content ||= fields['content'] === true
    const problem = versionProblem(fields)
    if (problem !== undefined) this.#problem(problem)
    return true
  }

  #start(fields: Fields, writer: string, startedAt: number): boolean {
    const id = numberIn(fields, 'id')
    const kind = textIn(fields, 'kind')
    const name = textIn(fields, 'name')
    if (id === undefined || kind === undefined || name === undefined) return false
    if (!KINDS.includes(kind)) return false
    const parent = this.#parentOf(fields, writer)
    const node: TraceNode = {
      kind: kind as ObservationKind,
      name,
      writer,
      runId: textIn(fields, 'runId'),
      startedAt,
      start: fields,
      parent,
      depth: parent ? parent.depth + 1 : 0,
      children: [],
      events: [],
    }
    this.#nodes.set(keyOf(writer, id), node)
    ;(parent?.children ?? this.#outer).push(node)
    return true
  }

  #parentOf(fields: Fields, writer: string): TraceNode | undefined {
    const id = numberIn(fields, 'parent')
    if (id === undefined) return undefined
    const parent = this.#nodes.get(keyOf(textIn(fields, 'parentWriter') ?? writer, id))
    return parent && parent.depth < DEEPEST ? parent : undefined
  }

  /** What is about something that started before. Its start may have been lost. */
  #more(fields: Fields, writer: string, at: number): boolean {
    const node = this.#nodes.get(keyOf(writer, numberIn(fields, 'id') ?? -1))
    if (!node) return false
    const type = textIn(fields, 'type')
    if (type === 'end') {
      node.end = fields
      node.endedAt = at
    } else if (type === 'event') {
      const event = fieldsIn(fields, 'event')
      if (!event || textIn(event, 'type') === undefined) return false
      node.events.push({ ...(event as unknown as TraceEventFacts), at })
    } else if (type === 'sent') {
      this.#took(node, fields)
    }
    return true
  }

  #took(node: TraceNode, fields: Fields): void {
    const client = clientOf(node)
    const before = this.#sent.get(client) ?? []
    const same = before.slice(0, numberIn(fields, 'same') ?? 0)
    node.messages = [...same, ...listIn(fields, 'messages')]
    this.#sent.set(client, node.messages)
  }

  #problem(what: string): void {
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push({ line: this.#line, what })
  }
}

const keyOf = (writer: string, id: number): string => `${id} ${writer}`

function clientOf(node: TraceNode): TraceNode {
  let outer = node
  while (outer.kind !== 'client' && outer.parent) outer = outer.parent
  return outer
}

function parsed(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json
  } catch {
    return undefined
  }
}

const unreadable = (words: string): TraceError =>
  new TraceError('trace-unreadable', `This is no trace. ${words}`)
