/** Chat options are checked where they are given, like all others: a misspelt one would silently do nothing. */
import { ConfigurationError } from '../errors/errors.ts'
import { checkOptions } from '../internal/check-options.ts'
import { didYouMean } from '../internal/nearest-names.ts'
import { describeValue } from '../schema/describe-value.ts'
import { isObject } from '../schema/json-object.ts'
import { flattenSources } from '../tools/tool-source.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { ChatOptions } from './chat-model.ts'

/** What a value must be, in words, and whether it is. */
type Kind = readonly [words: string, fits: (value: unknown) => boolean]

const isText = (x: unknown): x is string => typeof x === 'string'
const TEXT: Kind = ['a text', isText]
const NUMBER: Kind = ['a finite number', Number.isFinite]
const COUNT: Kind = [
  'a whole number of at least 1',
  (x) => Number.isInteger(x) && (x as number) >= 1,
]
const TRUTH: Kind = ['true or false', (x) => typeof x === 'boolean']
const OBJECT: Kind = ['an object', isObject]
const TEXTS: Kind = ['a list of texts', (x) => Array.isArray(x) && x.every(isText)]
const CHOICE: Kind = [
  "'auto', 'none', 'required' or { tool: 'its name' }",
  (x) => ['auto', 'none', 'required'].includes(x as string) || (isObject(x) && isText(x['tool'])),
]
/** Reading them tells what is wrong with them. */
const SOURCES: Kind = ['a list of tools', () => true]

const KINDS: { readonly [name in keyof Required<ChatOptions>]: Kind } = {
  model: TEXT,
  temperature: NUMBER,
  topP: NUMBER,
  topK: COUNT,
  maxTokens: COUNT,
  stopSequences: TEXTS,
  seed: NUMBER,
  outputSchema: OBJECT,
  providerOptions: [
    'an object with a key for each provider',
    (x) => isObject(x) && Object.values(x).every(isObject),
  ],
  tools: SOURCES,
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
  for (const [name, value] of Object.entries(options ?? {})) {
    const [words, fits] = KINDS[name as keyof ChatOptions]
    if (value !== undefined && !fits(value))
      throw new ConfigurationError(
        'invalid-option',
        `${where}: ${name} is ${describeValue(value)}; it takes ${words}.`,
      )
  }
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
