/**
 * Renders a context as the messages that a model reads. Data of one identity is shown once, folded, at its
 * last message; results and errors are shown one by one. Tools are not shown, because the schema holds
 * them.
 */
import { jsonText } from '../../internal/json-copy.ts'
import type { Json } from '../../messages/json.ts'
import type { Message } from '../../messages/message.ts'
import { cutOutput } from '../../tool-calling/cut-output.ts'
import { foldEntries } from './fold-entries.ts'
import { identities, identityOf, type Identities } from './identities.ts'
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
  const byIdentity = identities(entries)
  return entries.flatMap((entry): Message[] => {
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
        return isShown(entry, byIdentity)
          ? [{ role: entry.role, content: dataText(entry, byIdentity, resultBytes) }]
          : []
    }
  })
}

const isLog = ({ kind }: DataEntry): boolean => LOGS.includes(kind)

const isShown = (entry: DataEntry, byIdentity: Identities): boolean =>
  isLog(entry) || byIdentity.get(identityOf(entry))!.at(-1) === entry

function dataText(entry: DataEntry, byIdentity: Identities, resultBytes: number): string {
  const sameIdentity = isLog(entry) ? [entry] : byIdentity.get(identityOf(entry))!
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
  `\`\`\`json\n${cutOutput(jsonText(value) ?? 'null', maxBytes) as string}\n\`\`\``
