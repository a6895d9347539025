/** One exchange with a model: `chat {model}`. */
import { SpanKind, type Attributes } from '@opentelemetry/api'
import type { AnswerOutcome, Message, ModelInfo, ObservationOutcome, Usage } from 'toolwright'
import { askedOptions } from './asked-options.ts'
import { finishWord, inputText, outputText, recorded, systemText, toolsText } from './content.ts'
import { ATTRIBUTE, CONTENT, OPERATION } from './names.ts'
import {
  given,
  OpenSpan,
  seconds,
  short,
  type ObservedRun,
  type OtelObservation,
} from './open-span.ts'
import type { OtelSettings } from './otel-settings.ts'
import { providerName } from './provider-name.ts'
import { inputTokens } from './usage.ts'

export class ChatSpan extends OpenSpan {
  /** What a sampler sees, and every metric has. */
  readonly #asked: Attributes
  /** Kept until the end, because only then it is known which model answered. */
  readonly #gaps: number[] = []
  /** Only where somebody measures, so that nothing is done for each piece otherwise. */
  readonly chunk?: (ms: number) => void

  constructor(
    settings: OtelSettings,
    outer: Pick<OtelObservation, 'context' | 'run'>,
    info: ModelInfo,
  ) {
    const model = modelOf(info)
    const asked: Attributes = {
      [ATTRIBUTE.operation]: OPERATION.chat,
      [ATTRIBUTE.provider]: providerName(info.provider),
      [ATTRIBUTE.requestModel]: model,
    }
    const { address, port } = info.server ?? NOWHERE
    if (typeof address === 'string') asked[ATTRIBUTE.address] = short(address)
    if (typeof port === 'number') asked[ATTRIBUTE.port] = port
    super(settings, outer, {
      name: `${OPERATION.chat} ${model}`,
      kind: SpanKind.CLIENT,
      attributes: asked,
    })
    this.#asked = asked
    if (info.mode === 'stream' && settings.instruments.isOn)
      this.chunk = (ms) => void this.#gaps.push(ms)
    if (outer.run) counted(outer.run, info.round)
    if (this.span.isRecording()) this.#introduce(info)
  }

  #introduce(info: ModelInfo): void {
    this.set({
      ...askedOptions(info),
      [ATTRIBUTE.conversation]: this.run?.conversation,
      [ATTRIBUTE.runId]: short(info.runId),
      [ATTRIBUTE.round]: info.round,
      [CONTENT.stops]: this.settings.content ? stopsOf(info) : undefined,
      [CONTENT.tools]: info.tools && toolsText(info.tools),
      ...(info.messages && saidIn(info.messages)),
    })
  }

  /** Instead of what was to be sent, which stays where no model is asked: a durable run replays its answer. */
  sent(messages: readonly Message[]): void {
    if (this.span.isRecording()) this.set(saidIn(messages))
  }

  protected finish(outcome: ObservationOutcome, type: string | undefined): void {
    const answer = outcome as AnswerOutcome
    if (this.run && answer.usage) addUsage(this.run, answer.usage)
    if (this.span.isRecording()) this.#describe(answer)
    if (this.settings.instruments.isOn) this.#measure(answer, type)
  }

  #describe(answer: AnswerOutcome): void {
    const { finishReason, usage, model, responseId, timeToFirstChunkMs, response } = answer
    this.set({
      [ATTRIBUTE.responseModel]: short(model),
      [ATTRIBUTE.responseId]: short(responseId),
      [ATTRIBUTE.finishReasons]: finishReason && [finishWord(finishReason)],
      [ATTRIBUTE.firstChunk]:
        timeToFirstChunkMs === undefined ? undefined : seconds(timeToFirstChunkMs),
      [ATTRIBUTE.inputTokens]: usage && inputTokens(usage),
      [ATTRIBUTE.outputTokens]: usage?.outputTokens,
      [ATTRIBUTE.cacheRead]: usage?.cacheReadTokens,
      [ATTRIBUTE.cacheWrite]: usage?.cacheWriteTokens,
      [ATTRIBUTE.reasoning]: usage?.reasoningTokens,
      [CONTENT.output]: response && outputText(response),
    })
  }

  #measure(answer: AnswerOutcome, type: string | undefined): void {
    const { instruments } = this.settings
    const { durationMs, timeToFirstChunkMs, usage } = answer
    const about = {
      ...this.#asked,
      ...given({ [ATTRIBUTE.responseModel]: short(answer.model), [ATTRIBUTE.error]: type }),
    }
    instruments.record('inference', seconds(durationMs), about)
    if (timeToFirstChunkMs !== undefined)
      instruments.record('firstChunk', seconds(timeToFirstChunkMs), about)
    for (const gap of this.#gaps) instruments.record('eachChunk', seconds(gap), about)
    const tokens = { input: usage && inputTokens(usage), output: usage?.outputTokens }
    for (const [kind, count] of Object.entries(tokens))
      if (count !== undefined)
        instruments.record('tokens', count, { ...about, [ATTRIBUTE.tokenType]: kind })
  }
}

const saidIn = (messages: readonly Message[]): { readonly [name: string]: string | undefined } => ({
  [CONTENT.system]: systemText(messages),
  [CONTENT.input]: inputText(messages),
})

function counted(run: ObservedRun, round: number): void {
  run.inferenceCalls += 1
  // A round may ask more than once.
  if (round !== run.lastRound) run.rounds += 1
  run.lastRound = round
}

/** A leg has the tokens of its own exchanges: what the run knows is the sum over all legs. */
function addUsage(run: ObservedRun, usage: Usage): void {
  const input = inputTokens(usage)
  const output = usage.outputTokens
  if (input !== undefined) run.inputTokens = (run.inputTokens ?? 0) + input
  if (output !== undefined) run.outputTokens = (run.outputTokens ?? 0) + output
}

/** The model that is asked: the request may name another than the client's. */
const modelOf = ({ name, options }: ModelInfo): string =>
  short(typeof options['model'] === 'string' ? options['model'] : name)!

const NOWHERE: Partial<NonNullable<ModelInfo['server']>> = {}

/** Texts that somebody wrote. */
function stopsOf({ options: { stopSequences: stops } }: ModelInfo): string[] | undefined {
  if (!Array.isArray(stops) || stops.length === 0) return undefined
  return stops.slice(0, MOST_STOPS).map((stop) => recorded(String(stop)))
}

/** Providers take fewer. */
const MOST_STOPS = 32
