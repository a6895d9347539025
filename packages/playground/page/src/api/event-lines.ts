/** Cuts a stream of server-sent events into the texts of their `data`. Comments and other fields are passed over. */
export class EventLines {
  #rest = ''
  #data: string[] = []

  /** The events that this chunk completed. */
  push(chunk: string): string[] {
    const lines = (this.#rest + chunk).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop()!
    const events: string[] = []
    for (const line of lines) {
      if (line.startsWith('data:')) this.#data.push(line.slice(line[5] === ' ' ? 6 : 5))
      if (line !== '' || this.#data.length === 0) continue
      events.push(this.#data.join('\n'))
      this.#data = []
    }
    return events
  }
}
