/** What can be asked of any run, however its model answers. */
import type { ChatEvent } from '../messages/chat-event.ts'
import type { ChatResponse } from '../messages/chat-response.ts'
import type { AdvisedRun, RunResult } from './advised-run.ts'
import type { RunIterator } from './event-reader.ts'

export abstract class Run implements AsyncIterable<ChatEvent> {
  protected readonly run: AdvisedRun

  constructor(run: AdvisedRun) {
    this.run = run
  }

  /** Everything that happened. Deltas only a stream has. */
  events(): RunIterator<ChatEvent> {
    return this.run.read()
  }

  [Symbol.asyncIterator](): RunIterator<ChatEvent> {
    return this.events()
  }

  async chatResponse(): Promise<ChatResponse> {
    return (await this.run.result()).response
  }

  result(): Promise<RunResult> {
    return this.run.result()
  }
}
