/** Asks the model once and returns its answer. The calls are not executed. */
import { ChatClient } from '../client/chat-client.ts'
import type { AgentConfig, OutputOf, OutputSource } from './agent-config.ts'
import type { AgentMessage, Solution } from './agent-message.ts'
import { agentStep } from './turn/agent-step.ts'
import { readOutput } from './turn/read-output.ts'
import { renderContext } from './context/render-context.ts'
import {
  withConversationAndSignal,
  clientOptions,
  innerManager,
  startSession,
} from './session/start-session.ts'

/** How many more requests follow an answer that does not fit. */
const CORRECTIONS = 2

/**
 * Asks the model once. The answer is checked against the composed schema, calls included, and requested
 * again if it does not fit (2 more tries); then the promise rejects with `ModelResponseError`. Nothing is
 * executed.
 *
 * @example
 * const { calls, output } = await requestAgent({ model }, { type: 'string' }, context)
 */
export async function requestAgent<const Output extends OutputSource = undefined>(
  config: AgentConfig,
  output: Output,
  context: readonly AgentMessage[],
): Promise<Solution<OutputOf<Output>>> {
  const session = await startSession('requestAgent()', config, { output, context })
  const step = agentStep(session, {
    maxTurns: 1 + CORRECTIONS,
    checkCalls: true,
    resultBytes: Infinity,
  })
  const client = ChatClient.create(config.model, {
    ...clientOptions(config),
    manager: innerManager(config),
    advisors: [...(config.advisors ?? []), step],
    toolCalling: false,
  })
  const run = withConversationAndSignal(
    client.prompt(renderContext(session.entries)),
    config,
  ).call()
  for await (const event of run) config.onEvent?.(event)
  await run.result()
  const { meta, calls } = session.record
  return {
    meta,
    calls,
    output: (await readOutput(session, session.record.output)) as OutputOf<Output>,
  }
}
