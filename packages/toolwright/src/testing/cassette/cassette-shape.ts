/** The JSON Schema of a cassette file, by which one that was edited by hand is checked before it is played. */
import type { JsonSchema } from '../../schema/json-schema.ts'
import { CASSETTE_FORMAT, CASSETTE_VERSION } from './cassette-file.ts'

const TEXT: JsonSchema = { type: 'string' }
const OBJECT: JsonSchema = { type: 'object' }
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

function object(
  properties: { readonly [name: string]: JsonSchema },
  required: readonly string[],
): JsonSchema {
  return { type: 'object', properties, required: [...required], additionalProperties: false }
}

const ENDING = {
  error: object({ name: TEXT, message: TEXT, code: TEXT, facts: OBJECT }, ['name', 'message']),
  aborted: { const: true },
} as const

const PART = { type: 'object', properties: { type: TEXT }, required: ['type'] } as const
const CONTENT: JsonSchema = { anyOf: [TEXT, listOf(PART)] }

const REQUEST = object(
  {
    options: OBJECT,
    tools: listOf(TEXT),
    repeats: { type: 'integer', minimum: 1 },
    messages: listOf({ type: 'object', properties: { role: TEXT }, required: ['role'] }),
  },
  ['messages'],
)

const GENERATION: JsonSchema = {
  type: 'object',
  properties: {
    message: {
      type: 'object',
      properties: { role: { const: 'assistant' }, content: CONTENT },
      required: ['role', 'content'],
    },
    finishReason: TEXT,
    metadata: OBJECT,
  },
  required: ['message', 'finishReason', 'metadata'],
}

const RESPONSE: JsonSchema = {
  type: 'object',
  properties: { results: listOf(GENERATION), usage: OBJECT, metadata: OBJECT },
  required: ['results', 'usage', 'metadata'],
}

/** By `kind`: a choice among all of them could not say what is wrong with the one that is meant. */
export const EXCHANGE_SHAPES: { readonly [kind: string]: JsonSchema } = {
  model: object(
    {
      kind: TEXT,
      request: REQUEST,
      response: RESPONSE,
      events: listOf(PART),
      said: TEXT,
      ...ENDING,
    },
    ['request'],
  ),
  tool: object(
    {
      kind: TEXT,
      tool: TEXT,
      input: {},
      redacted: { const: true },
      answers: listOf({}),
      progress: listOf({}),
      output: CONTENT,
      returned: { anyOf: [{ enum: ['json', 'nothing'] }, object({ value: {} }, ['value'])] },
      question: object({ asks: {} }, ['asks']),
      ...ENDING,
    },
    ['tool', 'input'],
  ),
  approval: object({ kind: TEXT, tool: TEXT, input: {}, gives: {}, ...ENDING }, ['tool', 'input']),
  preview: object({ kind: TEXT, tool: TEXT, input: {}, gives: {}, ...ENDING }, ['tool', 'input']),
}

/** How an exchange of each kind ends: by exactly one of these. */
export const ENDINGS: { readonly [kind: string]: readonly string[] } = {
  model: ['response', 'error', 'aborted'],
  tool: ['output', 'question', 'error', 'aborted'],
  approval: ['gives', 'error', 'aborted'],
  preview: ['gives', 'error', 'aborted'],
}

const TOOL = object(
  {
    definition: {
      type: 'object',
      properties: { name: TEXT, description: TEXT, inputSchema: OBJECT },
      required: ['name', 'description', 'inputSchema'],
    },
    metadata: OBJECT,
    wrapped: { const: true },
    convertsItself: { const: true },
    provider: { type: 'integer', minimum: 0 },
  },
  ['definition'],
)

export const CASSETTE_SHAPE: JsonSchema = object(
  {
    format: { const: CASSETTE_FORMAT },
    version: { const: CASSETTE_VERSION },
    model: object({ provider: TEXT, model: TEXT, capabilities: OBJECT, options: OBJECT }, [
      'provider',
      'model',
      'capabilities',
      'options',
    ]),
    tools: { type: 'object', additionalProperties: TOOL },
    exchanges: listOf({
      type: 'object',
      properties: { kind: { enum: Object.keys(EXCHANGE_SHAPES) } },
      required: ['kind'],
    }),
  },
  ['format', 'version', 'model', 'tools', 'exchanges'],
)
