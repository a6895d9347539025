/** Whether a response is one: every field there, of its kind, and plain JSON. */
import assert from 'node:assert/strict'
import type { ChatResponse, FinishReason, Generation } from '../../messages/chat-response.ts'
import type { AssistantPart } from '../../messages/message.ts'

const FINISH_REASONS: ReadonlySet<FinishReason> = new Set([
  'stop',
  'tool-calls',
  'length',
  'content-filter',
  'error',
  'other',
])

export function checkResponseShape(response: ChatResponse): void {
  assert.ok(Array.isArray(response.results), 'response.results is no array.')
  assert.ok(response.results.length > 0, 'response.results is empty.')
  assert.ok(isRecord(response.metadata), 'response.metadata is no object.')
  assert.ok(isRecord(response.usage), 'response.usage is no object.')
  for (const [field, count] of Object.entries(response.usage)) {
    const isCount = count === undefined || (Number.isInteger(count) && count >= 0)
    assert.ok(isCount, `usage.${field} is ${String(count)}, no count of tokens.`)
  }
  response.results.forEach(checkGeneration)
  assert.deepEqual(
    JSON.parse(JSON.stringify(response)),
    withoutUndefined(response),
    'The response does not survive a trip through JSON.',
  )
}

function checkGeneration(generation: Generation, index: number): void {
  const where = `results[${index}]`
  const { message, finishReason, metadata } = generation
  assert.ok(isRecord(metadata), `${where}.metadata is no object.`)
  assert.ok(FINISH_REASONS.has(finishReason), `${where} has the finish reason ${finishReason}.`)
  assert.equal(message?.role, 'assistant', `${where}.message.role is wrong.`)
  const { content } = message
  if (typeof content === 'string') return
  assert.ok(Array.isArray(content), `${where}.message.content is neither text nor parts.`)
  content.forEach((part, at) => checkPart(part, `${where}.message.content[${at}]`))
}

const TEXT_FIELDS: { readonly [type in AssistantPart['type']]: readonly string[] } = {
  text: ['text'],
  reasoning: ['text'],
  'tool-call': ['id', 'name', 'arguments'],
  provider: ['kind'],
  image: ['mediaType'],
  audio: ['mediaType'],
  file: ['mediaType'],
}

function checkPart(part: AssistantPart, where: string): void {
  const fields = TEXT_FIELDS[part.type]
  assert.ok(fields, `${where} is of the unknown type ${String(part.type)}.`)
  for (const field of fields) {
    const value = (part as unknown as Record<string, unknown>)[field]
    assert.equal(typeof value, 'string', `${where}.${field} is no text.`)
  }
}

const isRecord = (x: unknown): boolean => typeof x === 'object' && x !== null && !Array.isArray(x)

/** An optional field may be absent or undefined; JSON knows only the one. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutUndefined(item)]))
}
