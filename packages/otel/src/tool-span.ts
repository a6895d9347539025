/** One call of a tool: `execute_tool {name}`. A call that is refused has one too, a call that waits has none yet. */
import { SpanKind, type Attributes } from '@opentelemetry/api'
import type { ObservationOutcome, ToolInfo, ToolOutcome } from 'toolwright'
import { recorded, resultText } from './content.ts'
import { ATTRIBUTE, CONTENT, EVENT, OPERATION, OTHER } from './names.ts'
import { given, OpenSpan, seconds, short, type OtelObservation } from './open-span.ts'
import type { OtelSettings } from './otel-settings.ts'

const LONGEST_DESCRIPTION = 1024

export class ToolSpan extends OpenSpan {
  readonly #metricAttributes: Attributes

  constructor(
    settings: OtelSettings,
    outer: Pick<OtelObservation, 'context' | 'run'>,
    info: ToolInfo,
  ) {
    const { definition } = info
    // A tool that was not offered has whatever name the model made up.
    const name = definition?.name ?? OTHER
    const about = given({
      [ATTRIBUTE.tool]: name,
      [ATTRIBUTE.toolType]: definition && 'function',
      [ATTRIBUTE.agent]: settings.agentName,
    })
    super(settings, outer, {
      name: `${OPERATION.tool} ${name}`,
      kind: SpanKind.INTERNAL,
      attributes: {
        [ATTRIBUTE.operation]: OPERATION.tool,
        ...about,
        [ATTRIBUTE.toolDescription]: short(definition?.description, LONGEST_DESCRIPTION),
        [ATTRIBUTE.callId]: short(info.callId),
        [ATTRIBUTE.conversation]: outer.run?.conversation,
        [ATTRIBUTE.runId]: short(info.runId),
      },
    })
    this.#metricAttributes = about
    if (outer.run) outer.run.toolCalls += 1
    if (info.arguments !== undefined && this.span.isRecording())
      this.set({ [CONTENT.arguments]: recorded(info.arguments) })
  }

  protected finish(outcome: ObservationOutcome, type: string | undefined): void {
    const { suspended, refusal, result, durationMs } = outcome as ToolOutcome
    if (suspended) this.span.addEvent(EVENT.suspended)
    if (result !== undefined && this.span.isRecording())
      this.set({ [CONTENT.result]: resultText(result) })
    const { instruments } = this.settings
    const about = { ...this.#metricAttributes, ...given({ [ATTRIBUTE.error]: type }) }
    instruments.record('tool', seconds(durationMs), about)
    if (refusal) instruments.count('refusals', about)
  }

  protected override retried(): void {
    const about = { ...this.#metricAttributes, [ATTRIBUTE.operation]: OPERATION.tool }
    this.settings.instruments.count('retries', about)
  }
}
