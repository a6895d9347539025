/**
 * Decides what the demo model does next, from the conversation alone. A turn has at most three rounds: it
 * calls tools without parameters for the current time and for missing values, makes all requested calls,
 * and reports the results.
 */
import { strict } from 'chrono-node'
import { textOf } from 'toolwright'
import type { Message, ToolCall, ToolDefinition, ToolResponse } from 'toolwright'
import { fillArguments, type Wish } from './fill-arguments.ts'
import { datesIn, isRelative, wordsOf } from './sentence.ts'
import { wishesIn } from './wishes.ts'

type Tools = readonly ToolDefinition[]

/** Text beyond this length is ignored. */
const LONGEST = 500

export async function nextStep(messages: readonly Message[], tools: Tools, clock: Date) {
  if (tools.length === 0)
    return 'I do not have access to any tools, and without one my rules know nothing about that.'
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const text = at < 0 ? '' : textOf(messages[at]!).trim().slice(0, LONGEST)
  const results = messages.slice(at).flatMap((each) => (each.role === 'tool' ? each.responses : []))
  const timeTeller = tools.find(tellsTime)
  const timeResult = results.find(({ name, isError }) => name === timeTeller?.name && !isError)
  const now = (timeResult && strict.parseDate(contentOf(timeResult), clock)) ?? clock
  const days = daysIn(text, now)
  const askTime = timeTeller ? [fillArguments(timeTeller, '', now)] : []
  const read = await wishesIn(text, tools, now)
  const wanted = read.length === 0 && days.length > 0 ? askTime : read
  const wishes = wanted.map((wish) => completed(wish, tools, results))
  if (wishes.length === 0)
    return `I have no tool for that. I can use: ${tools.map(({ name }) => name).join(', ')}.`

  const isOpen = ({ tool, missing }: Wish): boolean =>
    missing.length === 0 && !results.some(({ name }) => name === tool.name)
  const givers = wishes.flatMap(({ missing }) =>
    missing.flatMap((key) => giverOf(key, tools) ?? []),
  )
  const before = givers.map((tool) => fillArguments(tool, '', now))
  const usesNow = wishes.some((wish) => wish.usesNow)
  const first = [...(usesNow ? askTime : []), ...before].filter(isOpen)
  const calls = first.length > 0 ? first : wishes.filter(isOpen)
  if (calls.length > 0)
    return calls.map(({ tool: { name }, args }, place): ToolCall => {
      const id = `demo_${messages.length}_${place}`
      return { type: 'tool-call', id, name, arguments: JSON.stringify(args) }
    })
  const isAboutDays = wishes.some(({ tool }) => tool === timeTeller)
  const lines = wishes.flatMap((wish) => tell(wish, results))
  return [...new Set(lines), ...(isAboutDays ? days : [])].join('\n')
}

/** Whether a tool without parameters tells the time or date. */
const tellsTime = ({ name, description, inputSchema }: ToolDefinition): boolean =>
  !inputSchema.required?.length &&
  /(?<![a-z])(?:date|time|today)|Date|Time|Today/.test(`${name} ${description}`)

/**
 * A tool without required parameters that provides a missing value, by its name: `getCurrentCity` provides
 * a city.
 */
const giverOf = (key: string, tools: Tools): ToolDefinition | undefined =>
  tools.find(({ name, inputSchema }) => {
    const words = wordsOf(name)
    return !inputSchema.required?.length && wordsOf(key).every((word) => words.includes(word))
  })

/** The wish with the values that such tools have provided. */
function completed(wish: Wish, tools: Tools, results: readonly ToolResponse[]): Wish {
  const provided = wish.missing.flatMap((key) => {
    const result = results.find(({ name }) => name === giverOf(key, tools)?.name)
    return result && !result.isError ? [[key, contentOf(result)] as const] : []
  })
  const args = { ...wish.args, ...Object.fromEntries(provided) }
  return { ...wish, args, missing: wish.missing.filter((key) => !Object.hasOwn(args, key)) }
}

const contentOf = ({ content }: ToolResponse): string => textOf({ role: 'user', content })

function tell({ tool, missing }: Wish, results: readonly ToolResponse[]): readonly string[] {
  if (missing.length > 0) return [`To use ${tool.name} I need to know: ${missing.join(', ')}.`]
  return results
    .filter(({ name }) => name === tool.name)
    .map((result) => `${tool.name} ${result.isError ? 'failed' : 'says'}: ${contentOf(result)}`)
}

/** The days that a sentence names: `Tomorrow is Wednesday, 2015-10-21.` */
const daysIn = (text: string, now: Date): readonly string[] =>
  datesIn(text, now)
    .filter((date) => isRelative(date, text))
    .map(({ value, start, end }) => {
      const weekday = value.toLocaleDateString('en', { weekday: 'long' })
      const dateWords = text.charAt(start).toUpperCase() + text.slice(start + 1, end)
      return `${dateWords} is ${weekday}, ${value.toLocaleDateString('sv')}.`
    })
