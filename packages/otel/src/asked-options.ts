/** What a span says of the options of a request: numbers, and words of a short list. Others may hold what somebody wrote. */
import type { Attributes } from '@opentelemetry/api'
import type { ModelInfo } from 'toolwright'
import { ATTRIBUTE } from './names.ts'
import { given } from './open-span.ts'

export function askedOptions(info: ModelInfo): Attributes {
  const { mode, options } = info
  const number = (name: string): number | undefined =>
    typeof options[name] === 'number' ? options[name] : undefined
  return given({
    [ATTRIBUTE.stream]: mode === 'stream' ? true : undefined,
    [ATTRIBUTE.maxTokens]: number('maxTokens'),
    [ATTRIBUTE.temperature]: number('temperature'),
    [ATTRIBUTE.topP]: number('topP'),
    [ATTRIBUTE.topK]: number('topK'),
    [ATTRIBUTE.seed]: number('seed'),
    [ATTRIBUTE.reasoningLevel]: reasoningLevel(info),
    [ATTRIBUTE.outputType]: options['outputSchema'] === undefined ? undefined : 'json',
  })
}

/** Where providers and the AI SDK want to be told how much to think. */
const LEVEL_AT: readonly (readonly string[])[] = [
  ['reasoning', 'effort'],
  ['reasoning_effort'],
  ['reasoningEffort'],
  ['output_config', 'effort'],
  ['effort'],
  ['generationConfig', 'thinkingConfig', 'thinkingLevel'],
  ['thinkingConfig', 'thinkingLevel'],
  ['think'],
]
const LEVELS = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])

function reasoningLevel({ provider, options }: ModelInfo): string | undefined {
  const all = options['providerOptions']
  const own = at(all, [provider]) ?? at(all, [provider.split('.')[0]!])
  if (own === undefined) return undefined
  return LEVEL_AT.map((path) => at(own, path)).find(isLevel)
}

const isLevel = (value: unknown): value is string =>
  typeof value === 'string' && LEVELS.has(value.toLowerCase())

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (Object(inner) as { readonly [key: string]: unknown })[key],
    value,
  )
