/**
 * Prints the functions that a request passes, in order, and counts them: how far a reader has to go from
 * `stream()` to the model, and from the model's answer to a tool's result. `--all` also shows what is not
 * counted. Exits with 1 when a count passes its bar.
 *
 * A function is counted once, if it is entered and has a name: a function, a method, an accessor, or an
 * arrow held by a variable or property. Callbacks without a name and constructors are not counted, nor is
 * anything in messages/, schema/ and tools/, which hold values and say what they are. Counted this way,
 * commit 7f7db4c passes 48 functions in 16 files from the first read to the model, and 59 in 19 for one
 * tool call. The second figure of each line counts everything, so that moving code between folders or into
 * callbacks cannot pass for a shorter way.
 */
import { fileURLToPath } from 'node:url'
import { markedRequests } from './walk/marked-requests.ts'
import { filesOf, firstEntries, isCounted, linesOf, passedBetween } from './walk/segment.ts'
import type { Step } from './walk/trace.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const showAll = process.argv.includes('--all')
const { requests, functions } = await markedRequests(root)
const summary: string[] = []
let missed = 0

interface Segment {
  readonly title: string
  readonly from: string
  readonly to: string
  readonly bar?: number
}

function report(steps: readonly Step[], { title, bar = Infinity, ...points }: Segment): void {
  const entered = firstEntries(passedBetween(steps, functions, points))
  const counted = entered.filter(isCounted)
  if (counted.length > bar) missed += 1
  console.log(`\n${title}: ${points.from} → ${points.to}`)
  for (const line of linesOf(showAll ? entered : counted)) console.log(`  ${line}`)
  const verdict = bar === Infinity ? '    ' : counted.length > bar ? 'OVER' : 'ok  '
  const limit = bar === Infinity ? '' : ` (bar ${bar})`
  summary.push(
    `${verdict} ${title}: ${counted.length} functions in ${filesOf(counted)} files${limit}; with callbacks and all folders ${entered.length} in ${filesOf(entered)}`,
  )
}

const request = await requests.walkRequest()
report(request, { title: 'ask → model', from: 'first read', to: 'model asked', bar: 30 })
report(request, { title: 'one tool call', from: 'model answered', to: 'tool-result', bar: 35 })
const resumed = await requests.walkResume()
report(resumed, { title: 'resume → tool result', from: 'first read', to: 'tool-result' })
const search = await requests.walkSearch()
report(search, { title: 'one tool search', from: 'model answered', to: 'tool-result' })
console.log(`\n${summary.join('\n')}`)
process.exitCode = missed === 0 ? 0 : 1
