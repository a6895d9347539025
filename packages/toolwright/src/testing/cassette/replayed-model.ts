/** A model that answers from a cassette. What was recorded by `call` can be streamed, and the other way round. */
import { CassetteError } from '../../errors/errors.ts'
import { untilAborted } from '../../internal/on-abort.ts'
import type { ChatResponse } from '../../messages/chat-response.ts'
import type { ChatModel } from '../../model/chat-model.ts'
import { streamedParts, textDeltas } from '../streamed-parts.ts'
import type { Ending, ModelExchange } from './cassette-file.ts'
import { thrownAgain } from './failure.ts'
import type { Replay } from './replay.ts'

export function replayedModel(
  facts: Omit<ChatModel, 'call' | 'stream'>,
  replay: Replay,
): ChatModel {
  return {
    ...facts,
    async call(prompt, run) {
      run?.signal?.throwIfAborted()
      const exchange = replay.ask(prompt)
      for (const event of exchange.events ?? []) run?.emit?.(structuredClone(event))
      await endEarly(exchange, replay.file, run?.signal)
      return responseOf(exchange)
    },
    async *stream(prompt, run) {
      run?.signal?.throwIfAborted()
      const exchange = replay.ask(prompt)
      yield* structuredClone(exchange.events ?? [])
      yield* textDeltas(exchange.said ?? '')
      await endEarly(exchange, replay.file, run?.signal)
      for (const event of streamedParts(responseOf(exchange))) {
        run?.signal?.throwIfAborted()
        yield event
      }
      yield { type: 'response', response: responseOf(exchange) }
    },
  }
}

/** Programs may change what they get. */
const responseOf = ({ response }: ModelExchange): ChatResponse => structuredClone(response!)

/** Fails as it failed then; what was aborted waits to be aborted again. */
export async function endEarly(
  { error, aborted }: Ending,
  file: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (error) throw thrownAgain(error)
  if (!aborted) return
  if (!signal)
    throw new CassetteError(
      'cassette-mismatch',
      `The cassette ${file} was recorded to where the run was aborted, and here nothing can abort it.`,
      { file },
    )
  await untilAborted(signal, () => new Promise<never>(() => {}))
}
