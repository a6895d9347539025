/** Chat options are checked where they are given, like all others: a misspelt one would silently do nothing. */
import { ConfigurationError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import {
  ANY,
  checkKinds,
  COUNT,
  NUMBER,
  OBJECT,
  PROVIDER_OPTIONS,
  TEXT,
  TEXTS,
  TRUTH,
  type Kind,
  type Kinds,
} from '../schema/option-kinds.ts'
import { didYouMean } from '../internal/nearest-names.ts'
import { isObject } from '../schema/json-object.ts'
import { isStandardSchema } from '../schema/standard-schema.ts'
import { flattenSources } from '../tools/tool-source.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { ChatOptions } from './chat-model.ts'

const CHOICE: Kind = [
  "'auto', 'none', 'required' or { tool: 'its name' }",
  (x) =>
    ['auto', 'none', 'required'].includes(x as string) ||
    (isObject(x) && typeof x['tool'] === 'string'),
]

/** A Standard Schema is an object too, and would be sent as if its inside were a JSON Schema. */
const JSON_SCHEMA: Kind = [
  'a JSON Schema; toJsonSchema(schema) makes one of a Standard Schema',
  (x) => isObject(x) && (!isStandardSchema(x) || isJsonSchemaOfZod(x)),
]

/** What `z.toJSONSchema()` gives is a plain object that hides a Standard Schema in it. */
function isJsonSchemaOfZod(x: object): boolean {
  return Object.getPrototypeOf(x) === Object.prototype && !Object.keys(x).includes('~standard')
}

const KINDS: Kinds<ChatOptions> = {
  model: TEXT,
  temperature: NUMBER,
  topP: NUMBER,
  topK: COUNT,
  maxTokens: COUNT,
  stopSequences: TEXTS,
  seed: NUMBER,
  outputSchema: JSON_SCHEMA,
  providerOptions: PROVIDER_OPTIONS,
  tools: ANY,
  toolNames: TEXTS,
  toolContext: OBJECT,
  toolChoice: CHOICE,
  parallelToolCalls: TRUTH,
  deferredTools: TEXTS,
  internalToolExecution: TRUTH,
}

/** The options, checked. Their tools are read now: an iterable may give them only once. */
export function checkedChatOptions(
  where: string,
  options: ChatOptions | undefined,
): ChatOptions | undefined {
  checkOptions(where, options, Object.keys(KINDS))
  checkKinds(where, options, KINDS)
  const tools = options?.tools
  return tools ? { ...options, tools: flattenSources(tools) } : options
}

/** A tool that the model is forced to call must be among those it is offered. */
export function checkChosenTool({ toolChoice, tools = [] }: ChatOptions): void {
  const { tool } = toolChoice as { readonly tool: string }
  const names = (tools as readonly ToolCallback[]).map(({ definition }) => definition?.name)
  if (names.includes(tool)) return
  throw new ConfigurationError(
    'unknown-tool-name',
    `toolChoice names "${tool}", which is not offered.${didYouMean(tool, names)}`,
  )
}
