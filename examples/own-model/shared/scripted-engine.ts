/** An engine that plays the turns of the contract suite, and keeps what it was asked. */
import type { ContractTurn } from 'toolwright/testing'
import type { Engine, EnginePiece, EngineRequest } from './engine.ts'

export interface ScriptedEngine extends Engine {
  readonly requests: readonly EngineRequest[]
}

export function scriptedEngine(turns: readonly ContractTurn[]): ScriptedEngine {
  const requests: EngineRequest[] = []
  return {
    requests,
    async *generate(request, signal) {
      const turn = turns[requests.length]
      requests.push(request)
      if (turn === undefined) throw new Error('There is no turn left.')
      if ('status' in turn) throw new Error(turn.message)
      const { text = [], toolCalls = [], usage } = turn
      const pieces: EnginePiece[] = [
        ...text.map((words) => ({ text: words })),
        ...toolCalls.flatMap(({ id, name, arguments: json }) => [
          { call: id, name },
          ...json.map((piece) => ({ call: id, arguments: piece })),
        ]),
      ]
      yield* pieces
      if (turn.ending === 'stall') await silence(signal)
      const tokens = [usage?.inputTokens ?? 0, usage?.outputTokens ?? 0] as const
      yield { end: turn.finish === 'length' ? 'too long' : 'done', tokens }
    },
  }
}

const silence = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    // An abort may have come before anybody listened.
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
