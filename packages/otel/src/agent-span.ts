/** A run of a client, or one leg of it: `invoke_agent`. */
import { SpanKind, type Context } from '@opentelemetry/api'
import type { AnswerOutcome, ClientInfo, ObservationOutcome } from 'toolwright'
import { inputText, outputText, systemText } from './content.ts'
import { ATTRIBUTE, CONTENT, OPERATION } from './names.ts'
import { given, seconds, short, type SpanStart } from './open-span.ts'
import type { OtelSettings } from './otel-settings.ts'
import { conversationOf, RunSpan } from './run-span.ts'

export class AgentSpan extends RunSpan {
  constructor(settings: OtelSettings, outer: Context, info: ClientInfo) {
    super(settings, outer, { info, start: startOf(settings, info) })
    if (info.messages && this.span.isRecording())
      this.set({
        [CONTENT.system]: systemText(info.messages),
        [CONTENT.input]: inputText(info.messages),
      })
  }

  protected finish(outcome: ObservationOutcome, type: string | undefined): void {
    const answer = outcome as AnswerOutcome
    this.suspended(answer)
    if (this.span.isRecording()) this.#describe(answer)
    const { instruments, agentName } = this.settings
    if (!instruments.isOn) return
    const agent = given({ [ATTRIBUTE.agent]: agentName })
    instruments.record('agent', seconds(outcome.durationMs), {
      ...agent,
      ...given({ [ATTRIBUTE.error]: type }),
    })
    instruments.record('inferenceCalls', this.run.inferenceCalls, agent)
    instruments.record('toolCalls', this.run.toolCalls, agent)
  }

  #describe({ finishReason, response }: AnswerOutcome): void {
    const { rounds, inputTokens, outputTokens } = this.run
    this.set({
      [ATTRIBUTE.finishReason]: finishReason,
      [ATTRIBUTE.rounds]: rounds,
      [ATTRIBUTE.inputTokens]: inputTokens,
      [ATTRIBUTE.outputTokens]: outputTokens,
      [CONTENT.output]: response && outputText(response),
    })
  }
}

const startOf = ({ agentName }: OtelSettings, info: ClientInfo): SpanStart => ({
  name: agentName === undefined ? OPERATION.agent : `${OPERATION.agent} ${agentName}`,
  kind: SpanKind.INTERNAL,
  attributes: given({
    [ATTRIBUTE.operation]: OPERATION.agent,
    [ATTRIBUTE.agent]: agentName,
    [ATTRIBUTE.conversation]: conversationOf(info.conversation),
    [ATTRIBUTE.runId]: short(info.runId),
    [ATTRIBUTE.resumed]: info.phase === 'resume' ? true : undefined,
  }),
})
