/**
 * The canonical form of a request: what a model was asked, without what changes from run to run. Tools are by name
 * and their schemas without an order, calls are numbered in order of appearance, long binary data is its digest, and
 * the context of tools is not there at all.
 */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../internal/canonical-json.ts'
import type { Json, JsonObject } from '../../messages/json.ts'
import type { Message } from '../../messages/message.ts'
import type { Prompt } from '../../model/chat-model.ts'
import { isToolCallback, type ToolCallback } from '../../tools/tool-callback.ts'
import type { ToolDefinition } from '../../tools/tool-definition.ts'
import type { CanonicalRequest } from './cassette-file.ts'
import { exactJson } from './exact-json.ts'
import type { Redactor } from './redactor.ts'

/** The tools are listed apart, their context is private, and who runs them is the loop's affair. */
const LEFT_OUT = ['tools', 'toolNames', 'toolContext', 'internalToolExecution']
/** From here on data is replaced by its digest. */
const LONG = 200

export function canonicalRequest(prompt: Prompt, redact: Redactor): CanonicalRequest {
  const options = optionsOf(prompt.options ?? {}, redact)
  const tools = toolsOf(prompt).map(({ definition }) => [
    definition.name,
    canonicalDefinition(definition, redact),
  ])
  return {
    ...(Object.keys(options).length > 0 && { options }),
    ...(tools.length > 0 && {
      tools: Object.fromEntries(tools) as { readonly [name: string]: JsonObject },
    }),
    messages: canonicalMessages(prompt.messages, redact),
  }
}

/** A client gives a flat list of tools. A model that is asked directly may be given other sources. */
const toolsOf = ({ options }: Prompt): readonly ToolCallback[] =>
  (options?.tools ?? []).filter(isToolCallback)

/** Options of a request or defaults of a model, without tools and their context. */
export function optionsOf(options: object, redact: Redactor): JsonObject {
  const kept = Object.entries(options).filter(([name]) => !LEFT_OUT.includes(name))
  const { outputSchema, ...rest } = exactJson(Object.fromEntries(kept)) as JsonObject
  return {
    ...redact.data(rest as JsonObject),
    ...(outputSchema !== undefined && { outputSchema: redact.schema(withoutOrder(outputSchema)) }),
  }
}

export function canonicalDefinition(definition: ToolDefinition, redact: Redactor): JsonObject {
  return redact.schema(withoutOrder(exactJson(definition))) as JsonObject
}

function canonicalMessages(messages: readonly Message[], redact: Redactor): readonly JsonObject[] {
  const ids = new Map<string, string>()
  const named = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `call_${ids.size + 1}`)
    return ids.get(id)!
  }
  return messages.map((message) => {
    const { runId: _run, mark: _mark, ...rest } = exactJson(message) as JsonObject
    const { content, responses } = rest as { readonly [key: string]: Json }
    const numbered = {
      ...rest,
      ...(content !== undefined && { content: contentOf(content, named) }),
      ...(Array.isArray(responses) && {
        responses: responses.map((each) => responseOf(each as JsonObject, named)),
      }),
    }
    return digested(redact.data(numbered as JsonObject)) as JsonObject
  })
}

type Named = (id: string) => string

/** A text is the same as one part of text. */
function contentOf(content: Json, named: Named): Json {
  if (!Array.isArray(content)) return content
  const parts = content as readonly JsonObject[]
  const [only] = parts
  if (parts.length === 1 && only?.['type'] === 'text' && Object.keys(only).length === 2)
    return only['text']!
  return parts.map((part) =>
    part?.['type'] === 'tool-call' ? { ...part, id: named(part['id'] as string) } : part,
  )
}

function responseOf(response: JsonObject, named: Named): JsonObject {
  const { isError, content = '', denied: _denied, ...rest } = response
  return {
    ...rest,
    id: named(response['id'] as string),
    content: typeof content === 'string' ? withoutToolOrder(content) : contentOf(content, named),
    ...(isError === true && { isError }),
  }
}

/** The words about an unknown tool list the others in the order in which they were offered. */
const withoutToolOrder = (text: string): string =>
  text.replace(
    /^(Not run: there is no tool called [^]* Available tools: )(.+)\.$/,
    (_, start: string, names: string) => `${start}${names.split(', ').sort().join(', ')}.`,
  )

/** Media and what providers keep for themselves: nobody reads it, and a digest tells two apart. */
function digested(value: Json, isOpaque = false): Json {
  if (typeof value === 'string') return isOpaque && value.length > LONG ? digestOf(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each: Json) => digested(each, isOpaque))
  const { type, mediaType } = value as JsonObject
  const entries = Object.entries(value as JsonObject).map(([name, inner]): [string, Json] => {
    const isHere =
      name === 'providerData' ||
      (name === 'data' && (type === 'provider' || typeof mediaType === 'string')) ||
      (name === 'url' && String(inner).startsWith('data:'))
    return [name, digested(inner, isOpaque || isHere)]
  })
  return Object.fromEntries(entries)
}

function digestOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex')
  return `[${text.length} characters, sha256 ${hash}]`
}

/** Keys of JSON have no order, and neither has the list of required ones. */
function withoutOrder(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutOrder)
  const entries = Object.entries(value as JsonObject).map(([name, inner]): [string, Json] => [
    name,
    name === 'required' && isTexts(inner) ? [...inner].sort() : withoutOrder(inner),
  ])
  return Object.fromEntries(entries)
}

const isTexts = (value: Json): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')

/** Equal requests have equal keys. */
export const keyOf = (value: unknown): string => canonicalJson(value)
