/** One call of a tool: `execute_tool {name}`. A call that is refused has one too, a call that waits has none yet. */
import { SpanKind, type Attributes } from '@opentelemetry/api'
import type { ObservationOutcome, ObservedFacts, ToolInfo, ToolOutcome } from 'toolwright'
import { recorded, resultText } from './content.ts'
import { codeWord } from './error-type.ts'
import { isOfMcp, recordedFacts, measuredFacts } from './told-facts.ts'
import { ATTRIBUTE, CONTENT, EVENT, OPERATION, OTHER } from './names.ts'
import { given, OpenSpan, seconds, short, type OtelObservation } from './open-span.ts'
import type { OtelSettings } from './otel-settings.ts'

const LONGEST_DESCRIPTION = 1024

export class ToolSpan extends OpenSpan {
  readonly #definition: ToolInfo['definition']
  #facts: ObservedFacts | undefined

  constructor(
    settings: OtelSettings,
    outer: Pick<OtelObservation, 'context' | 'run'>,
    info: ToolInfo,
  ) {
    const { definition } = info
    // A tool that was not offered has whatever name the model made up.
    const name = definition?.name ?? OTHER
    super(settings, outer, {
      name: `${OPERATION.tool} ${name}`,
      kind: SpanKind.INTERNAL,
      attributes: { [ATTRIBUTE.operation]: OPERATION.tool, [ATTRIBUTE.tool]: name },
    })
    this.#definition = definition
    if (outer.run) outer.run.toolCalls += 1
    if (this.span.isRecording()) this.#introduce(info)
  }

  #introduce({ definition, callId, runId, edited, arguments: text }: ToolInfo): void {
    this.set({
      [ATTRIBUTE.toolType]: definition && 'function',
      [ATTRIBUTE.agent]: this.settings.agentName,
      [ATTRIBUTE.toolDescription]: short(definition?.description, LONGEST_DESCRIPTION),
      [ATTRIBUTE.callId]: short(callId),
      [ATTRIBUTE.conversation]: this.run?.conversation,
      [ATTRIBUTE.runId]: short(runId),
      [ATTRIBUTE.edited]: edited,
      [CONTENT.arguments]: text === undefined ? undefined : recorded(text),
    })
  }

  /** A call through MCP has no second span: this one says that it is one. */
  facts(facts: ObservedFacts): void {
    this.#facts = { ...this.#facts, ...facts }
    if (this.span.isRecording()) this.set(recordedFacts(facts))
  }

  protected finish(outcome: ObservationOutcome, type: string | undefined): void {
    const { suspended, pending = [], refusal, result, durationMs } = outcome as ToolOutcome
    if (this.run) {
      const status = this.#facts?.[ATTRIBUTE.rpcStatus]
      this.run.lastCallFailed = type !== undefined
      this.run.lastCallStatus = status === undefined ? undefined : codeWord(`${status}`)
    }
    if (suspended) this.span.addEvent(EVENT.suspended, { [ATTRIBUTE.pending]: [...pending] })
    if (result !== undefined && this.span.isRecording())
      this.set({ [CONTENT.result]: resultText(result) })
    const { instruments } = this.settings
    if (!instruments.isOn) return
    const about = this.#about({ [ATTRIBUTE.error]: type })
    instruments.record('tool', seconds(durationMs), about)
    if (refusal) instruments.count('refusals', about)
    if (isOfMcp(this.#facts)) this.#measureMcp(this.#facts, seconds(durationMs), type)
  }

  /** Errors as the conventions for MCP name them: by the code of JSON-RPC, or as one of the tool. */
  #measureMcp(facts: ObservedFacts, took: number, type: string | undefined): void {
    const told = facts[ATTRIBUTE.error]
    const error = type === undefined ? undefined : codeWord(told ?? type)
    this.settings.instruments.record('mcpClient', took, {
      [ATTRIBUTE.operation]: OPERATION.tool,
      ...measuredFacts(facts),
      [ATTRIBUTE.tool]: this.#definition?.name ?? OTHER,
      ...given({ [ATTRIBUTE.error]: error }),
    })
  }

  protected override retried(): void {
    const about = this.#about({ [ATTRIBUTE.operation]: OPERATION.tool })
    this.settings.instruments.count('retries', about)
  }

  /** What every metric of a tool has, and more. */
  #about(more: { readonly [name: string]: string | undefined }): Attributes {
    return given({
      [ATTRIBUTE.tool]: this.#definition?.name ?? OTHER,
      [ATTRIBUTE.toolType]: this.#definition && 'function',
      [ATTRIBUTE.agent]: this.settings.agentName,
      ...more,
    })
  }
}
