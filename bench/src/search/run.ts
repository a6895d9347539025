/**
 * `npm run bench -- search [--data folder] [--no-embeddings] [--queries n]`: how well and how fast tools are
 * found, beside MiniSearch as it comes and BM25 as the textbooks have it, and what searching saves. Figures
 * of quality do without the tools' `examples`.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { toolTokens } from 'toolwright/tool-search'
import { contenders, HYBRID, KEYWORD, MINISEARCH, type Contender } from './contenders.ts'
import { catalogueOf, datasetsIn, type Dataset } from './dataset.ts'
import { measure, sampled, type Measured } from './measure.ts'
import { CUTS } from './metrics.ts'
import { offlineEmbedder } from './offline-embedder.ts'
import { savingsAt } from './tokens.ts'

/** Recall@5 on the tuning halves of the public sets. */
const RECALL_BARS: { readonly [name: string]: number } = { metatool: 69, livemcp: 49, bfcl: 82 }
/** Embedding more than these takes longer than anybody waits, unless asked for. */
const MOST_EMBEDDED = 5_000
const SPEED_QUERIES = 400
const SPEED_REPEATS = 3

interface Verdict {
  readonly what: string
  readonly passed: boolean
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string' },
      queries: { type: 'string' },
      embeddings: { type: 'boolean' },
      'no-embeddings': { type: 'boolean' },
    },
  })
  const folder =
    values.data ?? fileURLToPath(new URL('../../../../shared/data/toolsearch', import.meta.url))
  const datasets = datasetsIn(folder)
  if (datasets.length === 0) {
    console.error(
      `There is no tools.jsonl in ${folder} or in a folder of it. Give one with --data.`,
    )
    process.exitCode = 2
    return
  }
  const embedder = values['no-embeddings'] ? undefined : await offlineEmbedder()
  const verdicts: Verdict[] = []
  for (const dataset of datasets.filter((each) => each.queries.length > 0)) {
    const embeds = embedder && (values.embeddings || dataset.tools.length <= MOST_EMBEDDED)
    const queries = sampled(dataset.queries, Number(values.queries ?? Infinity))
    const measured = await measure(contenders(embeds ? embedder : undefined), {
      ...dataset,
      queries,
    })
    printQuality({ ...dataset, queries }, measured)
    verdicts.push(...qualityVerdicts(dataset.name, measured))
  }
  verdicts.push(...(await speed(datasets)), ...(await savings(datasets)))
  console.log('')
  for (const { what, passed } of verdicts) console.log(`${passed ? 'ok  ' : 'MISS'} ${what}`)
  process.exitCode = verdicts.every(({ passed }) => passed) ? 0 : 1
}

function printQuality({ name, tools, queries }: Dataset, measured: readonly Measured[]): void {
  console.log(`\n${name}: ${tools.length} tools, ${queries.length} questions`)
  console.table(
    Object.fromEntries(
      measured.map(({ name: who, quality, p50, p95, buildMs, megabytes }) => [
        who,
        {
          ...Object.fromEntries(CUTS.map((k) => [`R@${k}`, quality.recall[k]!.toFixed(1)])),
          MRR: quality.mrr.toFixed(1),
          'nDCG@5': quality.ndcg5.toFixed(1),
          'p50 ms': p50.toFixed(3),
          'p95 ms': p95.toFixed(3),
          'build ms': buildMs.toFixed(0),
          MB: megabytes.toFixed(1),
        },
      ]),
    ),
  )
  const all = toolTokens(tools)
  console.log(`definitions: ${all} tokens, ${Math.round(all / tools.length)} each`)
}

function qualityVerdicts(name: string, measured: readonly Measured[]): Verdict[] {
  const recall = (who: string): number | undefined =>
    measured.find((each) => each.name === who)?.quality.recall[5]
  const keyword = recall(KEYWORD)!
  const hybrid = recall(HYBRID)
  const bar = RECALL_BARS[name]
  return [
    ...(bar === undefined
      ? []
      : [
          {
            what: `${name}: keyword Recall@5 ${keyword.toFixed(1)}, bar ${bar}`,
            passed: keyword >= bar,
          },
        ]),
    ...(hybrid === undefined
      ? []
      : [
          {
            what: `${name}: hybrid Recall@5 ${hybrid.toFixed(1)}, keyword ${keyword.toFixed(1)}`,
            passed: hybrid >= keyword,
          },
        ]),
  ]
}

/** The same questions over 500 and over 15,000 tools. */
async function speed(datasets: readonly Dataset[]): Promise<Verdict[]> {
  const queries = sampled(
    datasets.flatMap((each) => each.queries),
    SPEED_QUERIES,
  )
  const [own, mini] = [KEYWORD, MINISEARCH].map((name) =>
    contenders(undefined).find((each) => each.name === name)!,
  ) as [Contender, Contender]
  const verdicts: Verdict[] = []
  for (const [size, bar] of [
    [500, 0.1],
    [15_000, 1.5],
  ] as const) {
    const tools = catalogueOf(datasets, size)
    const [keyword, other] = (await measure([own, mini], { tools, queries }, SPEED_REPEATS)) as [
      Measured,
      Measured,
    ]
    const ratio = other.p50 / keyword.p50
    const beside = `${MINISEARCH} ${other.p50.toFixed(3)}, ${ratio.toFixed(1)} × as long`
    verdicts.push({
      what: `${size} tools: keyword p50 ${keyword.p50.toFixed(3)} ms, p95 ${keyword.p95.toFixed(3)}, bar ${bar}; ${beside}`,
      passed: keyword.p50 < bar && (size < 15_000 || ratio >= 10),
    })
  }
  return verdicts
}

/** On the set of real MCP tools, where it is there. */
async function savings(datasets: readonly Dataset[]): Promise<Verdict[]> {
  const real = datasets.find(({ name }) => /mcp/i.test(name)) ?? datasets[0]!
  const verdicts: Verdict[] = []
  for (const size of [10, 25, 50, 100, 200]) {
    if (size > real.tools.length) continue
    const { saved, without, with: searching, conversations } = await savingsAt(real, size)
    if (conversations === 0) continue
    const what = `${size} tools of ${real.name}: ${without} tokens of definitions per conversation, ${searching} with search: ${saved.toFixed(1)} % saved (${conversations} conversations)`
    if (size === 50) verdicts.push({ what: `${what}, bar 85`, passed: saved >= 85 })
    else console.log(what)
  }
  return verdicts
}
