/** The tools that the conformance suite calls, by the names that it wants them to have. */
import { setTimeout as later } from 'node:timers/promises'
import { tool, type Json, type JsonSchema, type ToolContext, type ToolOutput } from 'toolwright'
import { base64Of, RED_PIXEL, SILENCE } from './fixture-content.ts'

const NO_INPUT: JsonSchema = { type: 'object', properties: {} }

/** A tool without arguments. */
const plain = (name: string, execute: (context: ToolContext) => ToolOutput | Promise<ToolOutput>) =>
  tool({
    name,
    description: `What the suite calls ${name}`,
    input: NO_INPUT,
    execute: (_input: unknown, context: ToolContext) => execute(context),
  })

const textFile = (name: string, mediaType: string, text: string) =>
  ({ type: 'file', name, mediaType, data: base64Of(text) }) as const
const picture = { type: 'image', mediaType: 'image/png', data: RED_PIXEL } as const

const contentTools = [
  plain('test_simple_text', () => 'This is a simple text response for testing.'),
  plain('test_image_content', () => [picture]),
  plain('test_audio_content', () => [{ type: 'audio', mediaType: 'audio/wav', data: SILENCE }]),
  plain('test_embedded_resource', () => [
    textFile('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]),
  plain('test_multiple_content_types', () => [
    { type: 'text', text: 'Multiple content types test:' },
    picture,
    textFile('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
  plain('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing')
  }),
]

const reportingTools = [
  plain('test_reconnection', () => 'Answered in one piece'),
  plain('test_tool_with_progress', async ({ progress }) => {
    for (const done of [0, 50, 100]) {
      progress({ progress: done, total: 100 })
      await later(50)
    }
    return 'Reported its progress'
  }),
  plain('test_tool_with_logging', async ({ progress }) => {
    for (const data of [
      'Tool execution started',
      'Tool processing data',
      'Tool execution completed',
    ]) {
      progress({ level: 'info', data })
      await later(50)
    }
    return 'Logged three messages'
  }),
  plain('test_logging_tool', ({ progress }) => {
    progress({ level: 'error', data: 'For those who asked for it' })
    return 'Logged'
  }),
]

/** A form of one field. */
const form = (message: string, field: string, type = 'string'): Json => ({
  message,
  requestedSchema: { type: 'object', properties: { [field]: { type } }, required: [field] },
})

const sample = (text: string, maxTokens: number): Json => ({
  mode: 'sampling',
  messages: [{ role: 'user', content: { type: 'text', text } }],
  maxTokens,
})

/** Asks by keys of its own, and says what was answered. */
const asking = (name: string, requests: { readonly [key: string]: Json }) =>
  plain(name, ({ suspend }) => JSON.stringify(suspend({ mode: 'several', requests })))

const inputTools = [
  asking('test_input_required_result_elicitation', {
    user_name: form('What is your name?', 'name'),
  }),
  asking('test_input_required_result_sampling', {
    capital_question: sample('What is the capital of France?', 100),
  }),
  asking('test_input_required_result_list_roots', { client_roots: { mode: 'roots' } }),
  plain('test_input_required_result_request_state', ({ suspend }) => {
    suspend({ mode: 'several', requests: { confirm: form('Please confirm', 'ok', 'boolean') } })
    return 'state-ok'
  }),
  asking('test_input_required_result_multiple_inputs', {
    user_name: form('What is your name?', 'name'),
    greeting: sample('Generate a greeting', 50),
    client_roots: { mode: 'roots' },
  }),
  plain('test_input_required_result_multi_round', ({ suspend }) => {
    const first = suspend({
      mode: 'several',
      requests: { step1: form('Step 1: What is your name?', 'name') },
    })
    const second = suspend({
      mode: 'several',
      requests: { step2: form('Step 2: What is your favorite color?', 'color') },
    })
    return JSON.stringify({ first, second })
  }),
  asking('test_input_required_result_tampered_state', {
    confirm: form('Please confirm', 'ok', 'boolean'),
  }),
  asking('test_input_required_result_capabilities', {
    user_name: { ...(form('What is your name?', 'name') as object), optional: true },
    greeting: { ...(sample('Generate a greeting', 50) as object), optional: true },
  }),
  asking('test_missing_capability', { greeting: sample('Say hello', 50) }),
  plain('test_streaming_elicitation', ({ progress, suspend }) => {
    progress('asking')
    return JSON.stringify(suspend(form('What is your name?', 'name')))
  }),
]

/** Requests of the older protocol, by questions of the same kind. */
const requestTools = [
  tool({
    name: 'test_sampling',
    description: 'Asks the model of the client',
    input: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    execute: ({ prompt }: { prompt: string }, { suspend }) => {
      const { content } = suspend(sample(prompt, 100)) as { readonly content: { text: string } }
      return `LLM response: ${content.text}`
    },
  }),
  tool({
    name: 'test_elicitation',
    description: 'Asks the user',
    input: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    execute: ({ message }: { message: string }, { suspend }) => {
      const requestedSchema = {
        type: 'object',
        properties: {
          username: { type: 'string', description: "User's response" },
          email: { type: 'string', description: "User's email address" },
        },
        required: ['username', 'email'],
      }
      return `User response: ${JSON.stringify(suspend({ message, requestedSchema }))}`
    },
  }),
  formTool('test_elicitation_sep1034_defaults', {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  }),
  formTool('test_elicitation_sep1330_enums', {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled('Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {
      type: 'array',
      items: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    },
    titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
  }),
]

function formTool(name: string, properties: { readonly [field: string]: Json }) {
  return plain(name, ({ suspend }) => {
    const requestedSchema = { type: 'object', properties }
    const content = suspend({ message: 'Please fill in this form', requestedSchema })
    return `Elicitation completed: action=accept, content=${JSON.stringify(content)}`
  })
}

function titled(kind: string): Json {
  return [
    { const: 'value1', title: `First ${kind}` },
    { const: 'value2', title: `Second ${kind}` },
    { const: 'value3', title: `Third ${kind}` },
  ]
}

/** Ends a call as an error of the protocol: the server's `exceptionProcessor` lets it through. */
export class ProtocolFault extends Error {}

const longTools = [
  tool({
    name: 'greet',
    description: 'Greets somebody at once',
    input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    execute: ({ name }: { name: string }) => `Hello, ${name}!`,
  }),
  tool({
    name: 'slow_compute',
    description: 'Computes for some seconds',
    input: {
      type: 'object',
      properties: { seconds: { type: 'number' }, label: { type: 'string' } },
      required: ['seconds'],
    },
    timeoutMs: 120_000,
    execute: async (
      { seconds, label = 'it' }: { seconds: number; label?: string },
      { signal }: ToolContext,
    ) => {
      await later(seconds * 1000, undefined, { signal })
      return `Computed ${label}`
    },
  }),
  plain('failing_job', async ({ signal }) => {
    await later(1000, undefined, { signal })
    throw new Error('The job failed, as it always does')
  }),
  plain('protocol_error_job', () => {
    throw new ProtocolFault('The job broke the server')
  }),
  tool({
    name: 'confirm_delete',
    description: 'Deletes a file, if it may',
    input: { type: 'object', properties: { filename: { type: 'string' } }, required: ['filename'] },
    execute: ({ filename }: { filename: string }, { suspend }) => {
      suspend(form(`Delete ${filename}?`, 'confirm', 'boolean'))
      return `Deleted ${filename}`
    },
  }),
  asking('multi_input', {
    first: form('What is the first name?', 'name'),
    second: form('What is the second name?', 'name'),
  }),
  plain('test_tool_with_task', async ({ suspend, signal }) => {
    const answer = suspend({
      mode: 'several',
      requests: { user_name: form('What is your name?', 'name') },
    })
    await later(200, undefined, { signal })
    return `Worked for ${JSON.stringify(answer)}`
  }),
]

const DIALECT = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as JsonSchema

const dialectTool = tool({
  name: 'json_schema_2020_12_tool',
  description: 'Tool with JSON Schema 2020-12 features',
  input: DIALECT,
  execute: (input: unknown) => JSON.stringify(input),
})

const schemaTools = [
  // Schemas that tool() reads have no $schema any more; those of other sources reach clients as they are.
  { ...dialectTool, definition: { ...dialectTool.definition, inputSchema: DIALECT } },
  tool({
    name: 'test_header_param',
    description: 'A tool whose region stands in a header, too',
    input: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    } as JsonSchema,
    execute: (input: unknown) => `In ${JSON.stringify(input)}`,
  }),
]

/** What the tools that change lists call. */
export interface Changes {
  toolsChanged(): Promise<void>
  promptsChanged(): Promise<void>
}

export const fixtureTools = (changes: () => Changes) => [
  ...contentTools,
  ...reportingTools,
  ...inputTools,
  ...requestTools,
  ...longTools,
  ...schemaTools,
  plain('test_trigger_tool_change', async () => {
    await changes().toolsChanged()
    return 'Told'
  }),
  plain('test_trigger_prompt_change', async () => {
    await changes().promptsChanged()
    return 'Told'
  }),
]
