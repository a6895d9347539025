/**
 * The text of a run's answer, from its events as they come. What belongs to it is set by
 * `streamToolCallResponses`; two rounds that said something have a blank line between them.
 */
import { textOfRounds } from '../loop/loop-endings.ts'
import type { ChatEvent } from '../messages/chat-event.ts'
import type { AdvisedRun, RunResult } from './advised-run.ts'
import { textOfAnswer, textSaidLast } from './call-run.ts'
import type { Pieces, RunIterator } from './run-reader.ts'

export const readText = (run: AdvisedRun): RunIterator<string> => run.read(new TextPieces(run))

class TextPieces implements Pieces<string> {
  readonly #run: AdvisedRun
  /** Whether anything was said before the round under way. */
  #saidBefore = false
  #saidInRound = false
  /** The newest round that said something, and how many have ended. */
  #lastRound: number | undefined
  #ended = 0
  /** With `streamToolCallResponses: false`: the text of the newest round, which may be the last. */
  #held: string | undefined

  constructor(run: AdvisedRun) {
    this.#run = run
  }

  of(event: ChatEvent): string | undefined {
    // What a run inside a tool says is the tool's business.
    if (event.parentCallId !== undefined) return undefined
    if (event.type === 'text-delta') return this.#say(event.text, event.round)
    if (event.type !== 'round-end') return undefined
    if (!this.#saidInRound) this.#held = ''
    this.#endRound()
    this.#ended++
    return undefined
  }

  /** Direct results, and answers that no model gave, come with no event before the end. */
  async last(): Promise<string | undefined> {
    const result = await this.#run.answer()
    // Rejects when there is no answer, whatever was said before.
    const text = textOfAnswer(result)
    this.#endRound()
    const isSaid = this.#isSaid(result)
    if (this.#run.streamToolCallResponses === false)
      return (isSaid && this.#held) || text || undefined
    if (!this.#saidBefore) return text || undefined
    return isSaid ? undefined : this.#say(textSaidLast(result))
  }

  #endRound(): void {
    this.#saidBefore ||= this.#saidInRound
    this.#saidInRound = false
  }

  /** Whether the answer came with events. */
  #isSaid({ response, rounds }: RunResult): boolean {
    if (response.results[0]?.finishReason === 'return-direct') return false
    const ended = this.#run.earlierRounds().length + this.#ended
    return this.#lastRound === rounds.length || rounds.length <= ended
  }

  #say(text: string, round?: number): string | undefined {
    if (text === '') return undefined
    const isFirst = !this.#saidInRound
    this.#saidInRound = true
    this.#lastRound = round
    if (this.#run.streamToolCallResponses === false) {
      this.#held = isFirst ? text : this.#held + text
      return undefined
    }
    if (!isFirst) return text
    return this.#saidBefore ? `\n\n${text}` : this.#beginning() + text
  }

  /** A resumed run whose answer is the text of all rounds begins with what was said before it was suspended. */
  #beginning(): string {
    if (!this.#run.streamToolCallResponses) return ''
    const earlier = textOfRounds(this.#run.earlierRounds())
    return earlier && `${earlier}\n\n`
  }
}
