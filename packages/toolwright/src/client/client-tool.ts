/**
 * A ChatClient as a tool: a run inside a run. Its events are emitted in the outer run, marked with the call they
 * belong to; its questions become the outer run's; an abort ends both.
 */
import { ConfigurationError, ResumeError } from '../errors/errors.ts'
import { asInnerRun } from '../internal/inner-run.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { Json } from '../messages/json.ts'
import { textOf } from '../messages/reading.ts'
import type { Decisions, PendingCall, RunState } from '../messages/run-state.ts'
import { runContextOf, type OuterRun } from '../tools/default-tool-context.ts'
import { PROMPT_INPUT } from '../tools/prompt-input.ts'
import { toolRunOf, type ToolRun } from '../tools/tool-run.ts'
import {
  tool,
  type ContextOf,
  type SchemaSource,
  type FunctionToolCallback,
  type ToolOptions,
} from '../tools/tool.ts'
import type { ToolContext } from '../tools/tool-context.ts'
import type { PartialRun, RunResult } from './advised-run.ts'
import type { ChatClient } from './chat-client.ts'
import type { ChatRequest } from './chat-request.ts'
import type { InnerRun } from './start-run.ts'

/** What `tool()` takes, but for what makes it a client. `timeoutMs` is unlimited by default: the inner run has limits of its own. */
export type ClientToolOptions<Context extends SchemaSource | undefined = undefined> = Omit<
  ToolOptions<ClientToolInput, Promise<ChatResponse>, ContextOf<Context>>,
  'execute' | 'resultConverter' | 'composite'
> & {
  /** What the outer model calls it. */
  readonly name: string
  /** What this client is good at, for the model that may ask it. */
  readonly description: string
  /** The keys of the outer `toolContext` that the inner run gets, checked. Default: none of it. */
  readonly context?: Context
}

export interface ClientToolInput {
  readonly prompt: string
}

/** The `question` of a pending `clientTool` call. Answer it with decisions: `{ answer: { [callId]: 'approve' } }`. */
export interface InnerQuestion {
  /** What the inner run waits for. */
  readonly pending: readonly PendingCall[]
  /** Why the last answer could not be used. */
  readonly problem?: string
}

/** What the outer run's signed state keeps of it. */
interface OpenQuestion extends Pick<InnerQuestion, 'pending'> {
  readonly state: RunState
}

/**
 * Offers a client as a tool; the model gives it a `prompt` and gets its answer's text. Usage of the inner run
 * is its own: it is in the `value` of the call's `tool-result` event, and in the inner `round-end` events.
 *
 * @example
 * const librarian = ChatClient.create(model, { system: 'You know every book.', tools: [catalogue] })
 * const ask = clientTool(librarian, { name: 'askLibrarian', description: 'Answers questions about books' })
 * await ChatClient.create(model).prompt('Who wrote Emma?').tools(ask).call().content()
 */
export function clientTool<const Context extends SchemaSource | undefined = undefined>(
  client: ChatClient,
  options: ClientToolOptions<Context>,
): FunctionToolCallback<ClientToolInput, ChatResponse> {
  if (typeof client?.prompt !== 'function')
    throw new ConfigurationError('invalid-option', 'clientTool() takes a ChatClient first.')
  const handsOn = options.context !== undefined
  const failures: ResumedFailures = new WeakMap()
  const made = tool({
    timeoutMs: 'unlimited',
    ...(options as ClientToolOptions),
    ...(!isOneStep(options as ClientToolOptions) && { composite: {} }),
    input: PROMPT_INPUT,
    execute: async ({ prompt }, context) => {
      const outer = outerOf(context)
      const { kept } = outer
      // The state was used by an earlier attempt, so that trying again ends as that did.
      if (isOpen(kept) && failures.has(kept)) throw failures.get(kept)
      const request = requestOf(client, prompt, outer)
      const values = handsOn ? context.values : {}
      const inside = asInnerRun(request, innerOf(outer)).toolContext(values).signal(context.signal)
      return answerInside(inside, context, outer).catch((thrown: unknown) => {
        if (isOpen(kept) && thrown !== runContextOf(context)?.suspended) failures.set(kept, thrown)
        throw thrown
      })
    },
    resultConverter: textOf,
  })
  return made as FunctionToolCallback<ClientToolInput, ChatResponse>
}

/**
 * A tool that is tried again, timed, remembered or undone as a whole is one step of a durable run, like any other. Without
 * these the steps of the inner run are steps of the outer one, so that a crash costs one of them and not all.
 */
const isOneStep = ({ retry, cache, undo, timeoutMs = 'unlimited' }: ClientToolOptions): boolean =>
  Boolean(retry ?? cache ?? undo) || timeoutMs !== 'unlimited'

/** Why an inner run failed after it was resumed, by what was kept with the question whose answer resumed it. */
type ResumedFailures = WeakMap<object, unknown>

const isOpen = (kept: unknown): kept is OpenQuestion => typeof kept === 'object' && kept !== null

type OuterPart = ToolRun & Pick<OuterRun, 'mode' | 'emit' | 'mark' | 'label' | 'inside'>

/** A callback called by hand has no run around it. */
function outerOf(context: ToolContext): OuterPart {
  const outer = runContextOf(context)?.outer
  return {
    ...toolRunOf(context),
    mode: outer?.mode,
    emit: (event) => outer?.emit(event),
    mark: (label) => outer?.mark(label),
    label: outer?.label,
    inside: outer?.inside,
  }
}

const innerOf = ({ inside }: OuterPart): InnerRun =>
  inside?.isDurable ? { durability: inside } : {}

/** What the outer run has read may be in the words of its model: the inner run begins with the same mark. */
function requestOf(client: ChatClient, prompt: string, outer: OuterPart): ChatRequest {
  const { kept, answers, label } = outer
  if (answers.length === 0)
    return client.prompt(label ? [{ role: 'user', content: prompt, label }] : prompt)
  return client.resume((kept as unknown as OpenQuestion).state, answers.at(-1) as Decisions)
}

async function answerInside(
  request: ChatRequest,
  context: ToolContext,
  outer: OuterPart,
): Promise<ChatResponse> {
  const run = outer.mode === 'stream' ? request.stream() : request.call()
  try {
    for await (const event of run)
      if (event.type !== 'response' && event.type !== 'suspended')
        outer.emit({ parentCallId: context.callId, ...event })
  } catch (thrown) {
    markOuter(outer, run)
    // A refused decision leaves the inner state usable: ask again. A state that cannot be used will not be.
    if (!(thrown instanceof ResumeError && thrown.code.startsWith('decision-'))) throw thrown
    return askOutside(outer, outer.kept as unknown as OpenQuestion, thrown.message)
  }
  const result = await run.result()
  markOuter(outer, run)
  if (result.pending) return askOutside(outer, openQuestion(result))
  // Rejects when there is no answer.
  await endOf(run.content())
  return result.response
}

/** What the inner run has read is in its answer, in its question, and in the words of its failure. */
function markOuter(outer: OuterPart, { partial }: { readonly partial: PartialRun }): void {
  if (partial.label) outer.mark(partial.label)
}

const openQuestion = ({ pending, state }: RunResult): OpenQuestion => ({
  pending: pending!,
  state: state!,
})

function askOutside({ ask }: OuterPart, open: OpenQuestion, problem?: string): never {
  const { pending } = open
  const question: InnerQuestion = { pending, ...(problem !== undefined && { problem }) }
  return ask(question as unknown as Json, open as unknown as Json)
}

async function endOf(content: Promise<string> | AsyncIterable<string>): Promise<void> {
  if (content instanceof Promise) return void (await content)
  for await (const _piece of content);
}
