/**
 * A cassette that is being played. Every exchange is given once, to what is equal to its request: not by its place in
 * the file, because runs and tools may go on at the same time. What is equal to none ends the test with the
 * differences; they are kept, because a loop turns errors of tools into words for a model.
 */
import { CassetteError } from '../../errors/errors.ts'
import type { Issue } from '../../errors/issue.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { Prompt } from '../../model/chat-model.ts'
import { canonicalRequest, keyOf } from './canonical-request.ts'
import type {
  AskedExchange,
  CanonicalRequest,
  CassetteExchange,
  CassetteFile,
  ModelExchange,
  ToolExchange,
} from './cassette-file.ts'
import { asJson } from './exact-json.ts'
import { isByRedaction } from './is-by-redaction.ts'
import { describeDifferences, differsByChance, jsonDifferences } from './json-differences.ts'
import { finished } from './recording.ts'
import type { Redactor } from './redactor.ts'
import { wholeRequests } from './whole-requests.ts'

/** An exchange and what it is found by. */
interface Slot {
  readonly exchange: CassetteExchange
  /** Counted from 1, as people do. */
  readonly number: number
  readonly request: unknown
  readonly key: string
  isUsed: boolean
}

/** Arguments that do not fit their schema. */
interface WrongArguments {
  readonly given: unknown
  readonly issues: readonly Issue[]
  /** The input travels as `{ value }`. */
  readonly wrapped: boolean
}

export class Replay {
  readonly redact: Redactor
  readonly file: string
  readonly #slots: readonly Slot[]
  #broken: CassetteError | undefined
  #isFinished = false

  constructor(cassette: CassetteFile, file: string, redact: Redactor) {
    this.file = file
    this.redact = redact
    const requests = wholeRequests(cassette)
    this.#slots = cassette.exchanges.map((exchange, at) => {
      const request = exchange.kind === 'model' ? requests.get(exchange) : requestOf(exchange)
      return { exchange, number: at + 1, request, key: keyOf(request), isUsed: false }
    })
  }

  ask(prompt: Prompt): ModelExchange {
    this.#refuseBroken()
    return this.#take('model', canonicalRequest(prompt, this.redact)) as ModelExchange
  }

  run(tool: string, input: unknown, answers: readonly Json[]): ToolExchange {
    const clean = this.redact.data(asJson(input))
    const request = requestOf({
      kind: 'tool',
      tool,
      input: clean,
      ...(answers.length > 0 && { answers: this.redact.data(answers) }),
    })
    this.#refuseBroken()
    return this.#take('tool', request) as ToolExchange
  }

  /** What the tool's own function said then; the last time, where it is asked more often. */
  asked(kind: AskedExchange['kind'], tool: string, input: unknown): AskedExchange | undefined {
    const key = keyOf(requestOf({ kind, tool, input: this.redact.data(asJson(input)) }))
    const slots = this.#slots.filter((slot) => slot.key === key)
    const slot = slots.find(({ isUsed }) => !isUsed) ?? slots.at(-1)
    if (slot) slot.isUsed = true
    return slot?.exchange as AskedExchange | undefined
  }

  /** The recorded input of the run that wrong arguments were for, if they are wrong by what was taken out of it. */
  redactedInput(tool: string, { given, issues, wrapped }: WrongArguments): Json | undefined {
    const inputs = this.#unused('tool')
      .map(({ exchange }) => exchange as ToolExchange)
      .filter((exchange) => exchange.tool === tool && exchange.redacted)
      .map(({ input }) => ({ input, sent: wrapped ? { value: input } : input }))
      .filter(({ sent }) => isByRedaction(issues, given, sent))
    return (inputs.find(({ sent }) => isPartOf(given, sent)) ?? inputs[0])?.input
  }

  /** Throws for the first difference there was, and for what was recorded but never asked for. */
  finish(): void {
    this.#isFinished = true
    if (this.#broken) throw this.#broken
    const left = [...this.#unused('model'), ...this.#unused('tool')]
    const first = left.sort((a, b) => a.number - b.number)[0]
    if (!first) return
    const others = left.length === 1 ? '' : ` and ${left.length - 1} after it`
    throw new CassetteError(
      'cassette-unused',
      `The cassette ${this.file} holds more than was asked for: exchange ${first.number}, ${inWords(first.exchange)}${others}.`,
      { file: this.file },
    )
  }

  #unused(kind: CassetteExchange['kind']): readonly Slot[] {
    return this.#slots.filter(({ exchange, isUsed }) => exchange.kind === kind && !isUsed)
  }

  #refuseBroken(): void {
    if (this.#broken) throw this.#broken
    if (this.#isFinished) throw finished(this.file)
  }

  #take(kind: 'model' | 'tool', request: CanonicalRequest | JsonObject): CassetteExchange {
    const key = keyOf(request)
    const unused = this.#unused(kind)
    const slot = unused.find((each) => each.key === key)
    if (!slot) throw (this.#broken = this.#mismatch(kind, request, unused))
    slot.isUsed = true
    return slot.exchange
  }

  #mismatch(
    kind: 'model' | 'tool',
    request: CanonicalRequest | JsonObject,
    unused: readonly Slot[],
  ): CassetteError {
    const { file } = this
    const nearest = nearestOf(kind, request, unused)
    if (!nearest)
      return new CassetteError(
        'cassette-mismatch',
        `The cassette ${file} holds no further ${kind === 'model' ? 'answer of the model' : `run of tool "${(request as JsonObject)['tool'] as string}"`}. It was asked: ${short(request)}.`,
        { file, differences: jsonDifferences(undefined, plain(request)) },
      )
    const differences = jsonDifferences(plain(nearest.request), plain(request))
    const hint = differences.every(differsByChance)
      ? '\nThey differ only by what looks like a time or an id: set the clock and the ids in the test, or give redact a function that replaces them.'
      : ''
    return new CassetteError(
      'cassette-mismatch',
      `The cassette ${file} holds another request (exchange ${nearest.number}, ${inWords(nearest.exchange)}):\n${describeDifferences(differences)}${hint}`,
      { file, differences },
    )
  }
}

/** Whether the input has all that was given; it may have defaults besides. */
const isPartOf = (given: unknown, input: Json): boolean =>
  Object.entries(Object(given) as object).every(
    ([name, value]) => keyOf(value) === keyOf((Object(input) as JsonObject)[name]),
  )

/** Of models the one whose conversation begins most alike, of tools one of the same tool; of equals the next. */
function nearestOf(
  kind: 'model' | 'tool',
  request: CanonicalRequest | JsonObject,
  unused: readonly Slot[],
): Slot | undefined {
  if (kind === 'tool')
    return unused.find(
      ({ exchange }) => (exchange as ToolExchange).tool === (request as JsonObject)['tool'],
    )
  const { messages } = request as CanonicalRequest
  const alike = unused.map((slot) =>
    sameStart((slot.request as CanonicalRequest).messages, messages),
  )
  return unused[alike.indexOf(Math.max(...alike))]
}

/** How many messages two conversations begin with alike. */
function sameStart(one: readonly JsonObject[], other: readonly JsonObject[]): number {
  const differs = one.findIndex((each, at) => keyOf(each) !== keyOf(other[at] ?? null))
  return differs === -1 ? one.length : differs
}

/** What a tool or one of its functions is asked. */
const requestOf = (exchange: Partial<ToolExchange | AskedExchange>): JsonObject => {
  const { kind, tool, input, answers } = exchange as ToolExchange
  return { kind, tool, input, ...(answers && { answers }) } as JsonObject
}

function inWords(exchange: CassetteExchange): string {
  return exchange.kind === 'model' ? 'the model' : `tool "${exchange.tool}"`
}

const LONGEST = 200

function short(request: unknown): string {
  const text = keyOf(request)
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}…`
}

const plain = (value: unknown): unknown => JSON.parse(keyOf(value))
