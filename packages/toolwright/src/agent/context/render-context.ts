/**
 * Renders a context as the messages that a model reads. Data of one identity is shown once, folded, at its
 * last message; results and errors are shown one by one. Tools are not shown, because the schema holds
 * them.
 */
import type { Json } from '../../messages/json.ts'
import type { Message } from '../../messages/message.ts'
import { cutOutput } from '../../tool-calling/cut-output.ts'
import { foldEntries } from './data-store.ts'
import type { DataEntry, Entry } from './read-message.ts'

/** Kinds whose messages are a log: they add up and never replace each other. */
export const RESULT_KIND = 'result'
export const ERROR_KIND = 'error'
const LOGS: readonly string[] = [RESULT_KIND, ERROR_KIND]

/** Renders the entries. Each result of a call is cut to `resultBytes`, keeping its start and end. */
export function renderContext(
  entries: readonly Entry[],
  resultBytes = Infinity,
): readonly Message[] {
  return entries.flatMap((entry, index): Message[] => {
    switch (entry.type) {
      case 'native':
        return [entry.message]
      case 'text':
        return [{ role: entry.role, content: entry.text }]
      case 'meta':
        return [{ role: entry.role, content: `## Meta\n\n${json(entry.meta as Json)}` }]
      case 'tool':
        return []
      case 'data':
        return isShown(entry, entries.slice(index + 1))
          ? [{ role: entry.role, content: dataText(entry, entries, resultBytes) }]
          : []
    }
  })
}

const hasSameIdentity = (a: DataEntry, b: Entry): b is DataEntry =>
  b.type === 'data' && b.kind === a.kind && b.instance === a.instance

const isLog = ({ kind }: DataEntry): boolean => LOGS.includes(kind)

const isShown = (entry: DataEntry, later: readonly Entry[]): boolean =>
  isLog(entry) || !later.some((other) => hasSameIdentity(entry, other))

function dataText(entry: DataEntry, entries: readonly Entry[], resultBytes: number): string {
  const sameIdentity = isLog(entry)
    ? [entry]
    : entries.filter((other) => hasSameIdentity(entry, other))
  const { kind, instance } = entry
  const description = sameIdentity.findLast((each) => each.description !== undefined)?.description
  const schema = sameIdentity.findLast((each) => each.schema !== undefined)?.schema
  const parts = [
    `## Data: ¶${kind}${instance === undefined ? '' : ` (instance ${instance})`}`,
    json(
      foldEntries(sameIdentity) ?? null,
      sameIdentity.some(({ call }) => call) ? resultBytes : Infinity,
    ),
    description,
    schema && `Schema:\n${json(schema as Json)}`,
    kind === 'input' && 'This input MUST be treated as a structured prompt.',
  ]
  return parts.filter(Boolean).join('\n\n')
}

const json = (value: Json, maxBytes = Infinity): string =>
  `\`\`\`json\n${cutOutput(JSON.stringify(value), maxBytes) as string}\n\`\`\``
