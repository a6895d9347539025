/** An agent whose answer is shown while it arrives. It is the run of `runAgent`, read in another way. */
import type { RunResult } from '../client/advised-run.ts'
import type { RunIterator } from '../client/run-reader.ts'
import type { StreamRun } from '../client/stream-run.ts'
import { RunAbandonedError } from '../errors/errors.ts'
import { Aborter, follow } from '../internal/on-abort.ts'
import type { AgentConfig, AgentResult, OutputOf, OutputSource } from './agent-config.ts'
import type { AgentMessage } from './agent-message.ts'
import { agentResult } from './agent-result.ts'
import { prepareRun, type RunTask } from './prepare-run.ts'
import { runDelegate } from './run-agent.ts'
import type { AgentSession } from './session/agent-session.ts'
import type { AgentEvent } from './stream/agent-event.ts'
import { AgentEventReader } from './stream/agent-event-reader.ts'

export interface AgentStream<Output extends OutputSource = OutputSource> {
  /**
   * The output as it grows, calls, and what happens while they run. Rejects with what the run failed with.
   * Every reader gets all events from the first; when the only reader leaves, the run is aborted.
   */
  events(): RunIterator<AgentEvent<Output>>
  /** What `runAgent` would have given; rejects as it does. Counts as a reader who stays to the end. */
  result(): Promise<AgentResult<OutputOf<Output>>>
}

/**
 * Runs an agent and shows its output while it arrives. Nothing starts until the events or the result are
 * asked for, and the agent runs once however many ask.
 *
 * @example
 * const stream = streamAgent({ model }, z.object({ summary: z.string() }), context)
 * for await (const event of stream.events())
 *   if (event.type === 'output-delta') show(event.output.summary ?? '')
 * const { output } = await stream.result()
 */
export function streamAgent<const Output extends OutputSource = undefined>(
  config: AgentConfig,
  output: Output,
  context: readonly AgentMessage[],
): AgentStream<Output> {
  const task = { where: 'streamAgent()', output, context, runSub: runDelegate }
  return new StreamedAgent(config, task) as unknown as AgentStream<Output>
}

interface StartedAgent {
  readonly session: AgentSession
  readonly run: StreamRun
  readonly ended: Promise<RunResult>
}

class StreamedAgent implements AgentStream {
  readonly #config: AgentConfig
  readonly #task: RunTask
  readonly #aborter = new Aborter()
  #readers = 0
  #started: Promise<StartedAgent> | undefined

  constructor(config: AgentConfig, task: RunTask) {
    this.#config = config
    this.#task = task
  }

  events(): RunIterator<AgentEvent> {
    this.#readers++
    return new AgentEventReader({
      start: async () => {
        const { session, run } = await this.#start()
        return { session, events: run.events() }
      },
      leave: () => {
        this.#readers--
        if (this.#readers === 0) this.#aborter.abort(new RunAbandonedError())
      },
    })
  }

  async result(): Promise<AgentResult> {
    this.#readers++
    const { session, ended } = await this.#start()
    return agentResult(session, await ended)
  }

  #start(): Promise<StartedAgent> {
    return (this.#started ??= this.#run())
  }

  async #run(): Promise<StartedAgent> {
    const { signal: outer, onEvent, ...config } = this.#config ?? {}
    const { signal } = this.#aborter
    const unfollow = outer && follow(outer, (reason) => this.#aborter.abort(reason))
    const { session, request } = await prepareRun({ ...config, signal } as AgentConfig, this.#task)
    const run = request.stream()
    const ended = run.result().finally(() => unfollow?.())
    // A reader of the events or of the result is told of a failure.
    ended.catch(() => {})
    // A listener that throws ends the run, as in runAgent(). A failure of the run is heard by its readers.
    if (onEvent) listen(run, onEvent).catch((error: unknown) => this.#aborter.abort(error))
    return { session, run, ended }
  }
}

async function listen(run: StreamRun, onEvent: NonNullable<AgentConfig['onEvent']>): Promise<void> {
  for await (const event of run)
    if (event.type !== 'text-delta' || event.parentCallId !== undefined) onEvent(event)
}
