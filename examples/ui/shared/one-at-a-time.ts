/** One run at a time in each conversation, and a way to stop it. For several processes this is a lock in the database. */
import { PageError } from 'toolwright/ui'

interface Running {
  readonly controller: AbortController
  readonly ended: Promise<void>
}

export interface Turn {
  /** Of the run, so that it can be stopped. */
  readonly signal: AbortSignal
  readonly end: () => void
}

export class OneAtATime {
  readonly #running = new Map<string, Running>()

  /** Taken before anything is looked up, or two requests would both find that nothing runs. */
  begin(chat: string): Turn {
    if (this.#running.has(chat))
      throw new PageError('page-busy', 'This conversation is being answered.')
    const controller = new AbortController()
    let wake = (): void => {}
    const ended = new Promise<void>((resolve) => (wake = resolve))
    this.#running.set(chat, { controller, ended })
    const end = (): void => {
      this.#running.delete(chat)
      wake()
    }
    return { signal: controller.signal, end }
  }

  /** Waits until it has ended, so that the page can say something else at once. */
  async stop(chat: string): Promise<void> {
    const running = this.#running.get(chat)
    running?.controller.abort()
    await running?.ended
  }
}

/** The same events; tells when there are no more, however that came. */
export async function* untilEnd<Event>(
  events: AsyncIterable<Event>,
  end: () => void,
): AsyncGenerator<Event> {
  try {
    yield* events
  } finally {
    end()
  }
}
