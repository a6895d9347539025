/** What every provider demands of a conversation, written apart from the code that sees to it. */
import type { Message, ToolCall } from 'toolwright'

const callsOf = (message: Message): readonly ToolCall[] =>
  message.role === 'assistant' && typeof message.content !== 'string'
    ? message.content.filter((part): part is ToolCall => part.type === 'tool-call')
    : []

/** What is wrong with what a model is sent. */
export function promptFaults(messages: readonly Message[]): readonly string[] {
  const faults: string[] = []
  const begin = messages.findIndex(({ role }) => role !== 'system')
  const said = begin < 0 ? [] : messages.slice(begin)
  if (said[0]?.role !== 'user') faults.push('It does not begin with the user.')
  if (said.some(({ role }) => role === 'system')) faults.push('A system message stands inside.')
  const last = said.at(-1)?.role
  if (last !== 'user' && last !== 'tool') faults.push(`It ends with ${last}.`)
  const ids = new Set<string>()
  said.forEach((message, index) => {
    const calls = callsOf(message)
    const next = said[index + 1]
    for (const { id, arguments: input } of calls) {
      if (id === '' || ids.has(id)) faults.push(`The id "${id}" comes twice.`)
      ids.add(id)
      if (!isObjectText(input)) faults.push(`Arguments are no object: ${input}`)
    }
    const answered = next?.role === 'tool' ? next.responses.map(({ id }) => id) : []
    if (calls.map(({ id }) => id).join() !== answered.join())
      faults.push(`Calls ${calls.map(({ id }) => id).join()} are answered ${answered.join()}.`)
    if (message.role === 'assistant' && message.content.length === 0)
      faults.push('The assistant says nothing.')
  })
  return faults
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** What is wrong with what a memory gives of a history, before anybody mends it. */
export function memoryFaults(
  given: readonly Message[],
  history: readonly Message[],
  isSummary: (message: Message) => boolean,
): readonly string[] {
  const faults: string[] = []
  const begin = given.findIndex(({ role }) => role !== 'system')
  const said = begin < 0 ? [] : given.slice(begin)
  if (said.some(({ role }) => role === 'system')) faults.push('A system message stands inside.')
  if (said.length > 0 && said[0]!.role !== 'user') faults.push('It does not begin with the user.')
  const kept = said.filter((message) => !isSummary(message))
  const all = history.filter(({ role }) => role !== 'system')
  const places = kept.map((message) => all.indexOf(message))
  if (places.some((place, index) => place < 0 || place <= (places[index - 1] ?? -1)))
    faults.push('It is no part of the history, in order.')
  if (all.length > 0 && places.at(-1) !== all.length - 1) faults.push('The newest is missing.')
  const before = pairsIn(all)
  const after = pairsIn(kept)
  for (const { call, response } of before) {
    const hasCall = call !== undefined && kept.includes(call)
    const hasResponse = response !== undefined && kept.includes(response)
    if (call && response && hasCall !== hasResponse)
      faults.push('A call and its response are separated.')
    if (call && !response && !hasCall && given.some(isSummary))
      faults.push('An open call was summarised.')
  }
  if (after.some(({ call }) => call === undefined)) faults.push('A response has no call.')
  const current = currentSystem(history)
  if (JSON.stringify(given.slice(0, Math.max(begin, 0))) !== JSON.stringify(current) && begin >= 0)
    faults.push('The system messages are others.')
  return faults
}

interface Pair {
  readonly call: Message | undefined
  readonly response: Message | undefined
}

/** Calls with their responses, by run and id: a response answers the newest call before it. */
function pairsIn(messages: readonly Message[]): readonly Pair[] {
  const open = new Map<string, Message>()
  const pairs: Pair[] = []
  for (const message of messages) {
    const run = 'runId' in message ? message.runId : ''
    for (const { id } of callsOf(message)) {
      const key = `${run} ${id}`
      if (open.has(key)) pairs.push({ call: open.get(key), response: undefined })
      open.set(key, message)
    }
    for (const { id } of message.role === 'tool' ? message.responses : []) {
      const key = `${run} ${id}`
      pairs.push({ call: open.get(key), response: message })
      open.delete(key)
    }
  }
  for (const call of open.values()) pairs.push({ call, response: undefined })
  return pairs
}

/** The newest group of system messages that says something new. */
function currentSystem(history: readonly Message[]): readonly Message[] {
  const texts = (messages: readonly Message[]): readonly string[] =>
    messages.map((message) => (message.role === 'system' ? message.content : ''))
  let current: readonly Message[] = []
  for (let index = 0; index < history.length; index++) {
    const begin = index
    while (history[index]?.role === 'system') index++
    const group = history.slice(begin, index)
    if (texts(group).some((text) => !texts(current).includes(text))) current = group
  }
  return current
}
