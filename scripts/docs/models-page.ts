/** The page of what the models of each provider can do, made from the tables of the adapters. */
import { format, resolveConfig } from 'prettier'
import type { ModelCapabilities } from '../../packages/toolwright/src/model/chat-model.ts'
import { MODELS as anthropic } from '../../packages/toolwright/src/providers/anthropic/anthropic.ts'
import { MODELS as google } from '../../packages/toolwright/src/providers/google/google.ts'
import { MODELS as ollama } from '../../packages/toolwright/src/providers/ollama/ollama.ts'
import { MODELS as compatible } from '../../packages/toolwright/src/providers/openai-compatible/openai-compatible.ts'
import { MODELS as openai } from '../../packages/toolwright/src/providers/openai/openai.ts'
import type { ModelTable } from '../../packages/toolwright/src/providers/wire/model-families.ts'

const PROVIDERS: { readonly [factory: string]: ModelTable } = {
  openai,
  openaiCompatible: compatible,
  anthropic,
  google,
  ollama,
}

/** Every capability, in words. */
const WORDS: { readonly [name in keyof Required<ModelCapabilities>]: string } = {
  tools: 'tools',
  toolChoice: 'a forced tool choice',
  parallelOff: 'one call at a time, on request',
  strictTools: 'arguments held to the schema, by itself or where a tool says `strict`',
  structuredOutput: 'answers held to a schema, also beside tools',
  reasoning: 'reasoning',
  media: 'images from the user',
  files: 'documents from the user',
  mediaInResults: 'images in results of tools',
  providerTools: 'tools of its own',
  promptCaching: 'prompt caching',
  nativeToolSearch: 'its own tool search',
}

const INTRODUCTION = `# What models can do

toolwright reads what a model can do from a table, and never from the name of its provider. Each adapter has one:
what its models usually can, and the families that differ. A model that no row knows counts as a usual one. Where
the table is wrong, because a model is new or a server is another one, say so:
\`openai('my-model', { capabilities: { strictTools: false } })\`. What the fields mean is in
[all options](guide/22-options.md#modelcapabilities).

This page is written by \`npm run docs:models\` from the adapters in \`packages/toolwright/src/providers\`.

`

interface Column {
  readonly title: string
  readonly capabilities: ModelCapabilities
}

function columnsOf(factory: string, { usual, families }: ModelTable): Column[] {
  return [
    { title: 'usual', capabilities: usual },
    ...families.map(({ name, capabilities }) => ({
      title: name,
      capabilities: { ...usual, ...capabilities },
    })),
  ].map((column) => ({
    ...column,
    title: column.title === 'usual' ? `\`${factory}\`` : column.title,
  }))
}

function table(columns: readonly Column[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  const names = Object.keys(WORDS) as (keyof ModelCapabilities)[]
  const rows = names.map((name) => [
    WORDS[name],
    ...columns.map(({ capabilities }) => ((capabilities[name] ?? name === 'tools') ? 'yes' : '–')),
  ])
  const head = ['', ...columns.map(({ title }) => title)]
  return [head, head.map(() => '---'), ...rows].map(line).join('')
}

export async function modelsPage(): Promise<string> {
  const providers = Object.entries(PROVIDERS)
  const usual = providers.map(([factory, { usual: capabilities }]) => ({
    title: `\`${factory}\``,
    capabilities,
  }))
  const sections = providers
    .filter(([, { families }]) => families.length > 0)
    .map(([factory, models]) => `\n## ${factory}\n\n${table(columnsOf(factory, models))}`)
  const page = `${INTRODUCTION}${table(usual)}${sections.join('')}`
  return format(page, { ...(await resolveConfig(import.meta.filename)), parser: 'markdown' })
}
