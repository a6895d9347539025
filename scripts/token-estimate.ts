/**
 * Shows how far `estimateTokens` is off: the tokens that providers charged for recorded answers beside the estimate
 * of their text. Only answers that are text and nothing else count. The recordings are not part of the project.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { estimateTokens } from '../packages/toolwright/src/memory/estimate-tokens.ts'

interface Answer {
  readonly text: string
  readonly tokens: number
}

// What providers send, as far as this goes: read with care, because every dialect has holes of its own.
type Raw = any

/** Shorter answers say more about the frame than about the text. */
const SHORTEST = 200

function wholeAnswer(body: Raw): Answer | undefined {
  if (body?.choices?.[0]?.message && body.usage) {
    const { message } = body.choices[0]
    if (message.tool_calls) return undefined
    return { text: String(message.content ?? ''), tokens: visible(body.usage) }
  }
  if (body?.type === 'message' && body.usage)
    return textOnly(body.content, 'text', body.usage.output_tokens)
  if (body?.object === 'response' && body.usage) {
    const items = body.output.filter(({ type }: Raw) => type !== 'reasoning')
    if (items.some(({ type }: Raw) => type !== 'message')) return undefined
    const { output_tokens: all, output_tokens_details: details } = body.usage
    const parts = items.flatMap(({ content }: Raw) => content)
    return textOnly(parts, 'output_text', all - (details?.reasoning_tokens ?? 0))
  }
  if (body?.candidates && body.usageMetadata) {
    const parts = (body.candidates[0].content?.parts ?? []).filter(({ thought }: Raw) => !thought)
    if (parts.some((part: Raw) => typeof part.text !== 'string')) return undefined
    const text = parts.map((part: Raw) => part.text).join('')
    return { text, tokens: body.usageMetadata.candidatesTokenCount }
  }
  return undefined
}

const visible = ({ completion_tokens: all, completion_tokens_details: details }: Raw): number =>
  all - (details?.reasoning_tokens ?? 0)

function textOnly(parts: readonly Raw[], type: string, tokens: number): Answer | undefined {
  if (parts.some((part) => part.type !== type)) return undefined
  return { text: parts.map((part) => part.text).join(''), tokens }
}

function streamedAnswer(events: readonly Raw[]): Answer | undefined {
  const completed = events.find(({ type }) => type === 'response.completed')
  if (completed) return wholeAnswer(completed.response)
  const started = events.filter(({ type }) => type === 'content_block_start')
  if (started.length > 0) {
    if (started.some(({ content_block: block }) => block.type !== 'text')) return undefined
    const text = events.map(({ delta }) => delta?.text ?? '').join('')
    return {
      text,
      tokens: events.findLast(({ type }) => type === 'message_delta')?.usage.output_tokens,
    }
  }
  const choices = events.flatMap(({ choices: each }) => each ?? [])
  // A recording that was broken off has the usage of more than it holds.
  if (choices.some(({ delta }) => delta?.tool_calls) || !choices.some((each) => each.finish_reason))
    return undefined
  const usage = events.findLast((event) => event.usage ?? event.x_groq?.usage)
  if (!usage) return undefined
  const text = choices.map(({ delta }) => delta?.content ?? '').join('')
  return { text, tokens: visible(usage.usage ?? usage.x_groq.usage) }
}

function answerIn(file: string): Answer | undefined {
  const text = readFileSync(file, 'utf8')
  try {
    if (file.endsWith('.json')) return wholeAnswer(JSON.parse(text))
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return streamedAnswer(lines.map((line) => JSON.parse(line) as Raw))
  } catch {
    return undefined
  }
}

const root = fileURLToPath(new URL('../', import.meta.url))
const shared = process.env['TOOLWRIGHT_DATA'] ?? join(root, '../shared')
const folder = [join(shared, 'data/wire'), join(shared, 'wire')].find(existsSync)

export interface Estimate extends Answer {
  readonly file: string
  /** 0.1: a tenth too many. */
  readonly error: number
}

/** Nothing where there are no recordings. */
export function estimates(): readonly Estimate[] {
  if (folder === undefined) return []
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  return files.flatMap((file): readonly Estimate[] => {
    if (!/\.(json|chunks\.txt)$/.test(file)) return []
    const answer = answerIn(join(folder, file))
    if (!answer || !(answer.tokens > 0) || answer.text.length < SHORTEST) return []
    // A recording that was shortened has the usage of more than it holds.
    if (answer.text.length / answer.tokens < 1) return []
    return [{ file, ...answer, error: estimateTokens(answer.text) / answer.tokens - 1 }]
  })
}

/** The middle, the extremes and the whole. */
export function summaryOf(rows: readonly Estimate[]): {
  readonly median: number
  readonly least: number
  readonly most: number
  readonly whole: number
} {
  const errors = rows.map(({ error }) => error).toSorted((a, b) => a - b)
  const sum = (of: (row: Estimate) => number): number => rows.reduce((all, row) => all + of(row), 0)
  return {
    median: errors[Math.floor(errors.length / 2)]!,
    least: errors[0]!,
    most: errors.at(-1)!,
    whole: sum(({ text }) => estimateTokens(text)) / sum(({ tokens }) => tokens) - 1,
  }
}

const percent = (x: number): string => `${x < 0 ? '' : '+'}${Math.round(x * 100)} %`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = estimates()
  if (rows.length === 0)
    console.log('There are no recordings here. TOOLWRIGHT_DATA says where they are.')
  else {
    for (const { file, text, tokens, error } of rows)
      console.log(
        `${percent(error).padStart(6)}  ${String(tokens).padStart(5)} tokens of ${text.length} characters  ${file}`,
      )
    const { median, least, most, whole } = summaryOf(rows)
    console.log(
      `${rows.length} answers: median ${percent(median)}, from ${percent(least)} to ${percent(most)}, all together ${percent(whole)}`,
    )
  }
}
