/**
 * `npm run bench -- code`: what programs that call tools cost beside direct calls, all in one run of plain node. Ends
 * with exit code 1 when a bar is missed.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { compile } from '../compile.ts'
import type { CodeFigures } from './measured-programs.ts'

const SOURCE = 'code/measured-programs.ts'

interface Row {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** At most, or, for shares of tokens, at least. */
  readonly bar?: number
  readonly atLeast?: true
}

export async function run(): Promise<void> {
  const file = await compile([SOURCE])
  const { stdout } = await promisify(execFile)(process.execPath, [file(SOURCE)])
  const figures = JSON.parse(stdout) as CodeFigures
  console.table(rowsOf(figures).map(shown))
}

function rowsOf(figures: CodeFigures): readonly Row[] {
  const { directUs, empty, sequential, fanOut, replayShare, coldMs, pooledMs } = figures
  const { openProgramMb, stateBytesPerCall, tokens, pingPongUs, longestGapMs } = figures
  const fewer = (way: string, rows: number): number =>
    tokens[`${way}, ${rows} rows`]! / tokens[`one program, ${rows} rows`]!
  return [
    { what: 'a direct call through the executor', value: directUs, unit: 'µs' },
    {
      what: 'two threads that wake each other',
      value: pingPongUs / directUs,
      unit: '× a direct call',
    },
    {
      what: 'an empty program, pooled',
      value: empty,
      unit: '× a direct call',
      bar: 150,
    },
    {
      what: 'a nested call, one after another',
      value: sequential,
      unit: '× a direct call',
      bar: 8,
    },
    {
      what: 'a nested call, 1,000 at once',
      value: fanOut,
      unit: '× a direct call',
      bar: 6,
    },
    { what: 'replaying 1,000 calls', value: replayShare, unit: '× running them', bar: 0.35 },
    { what: 'the first program of a process', value: coldMs, unit: 'ms' },
    { what: 'the first program', value: coldMs / pooledMs, unit: '× a pooled one' },
    { what: 'an open program', value: openProgramMb, unit: 'MB', bar: 2 },
    {
      what: 'a parked program, per call, without results',
      value: stateBytesPerCall,
      unit: 'bytes',
      bar: 64,
    },
    { what: 'longest gap of a host under attack', value: longestGapMs, unit: 'ms', bar: 50 },
    ...[5, 20].flatMap((rows): readonly Row[] => [
      {
        what: `tokens of one call after another, ${rows} rows`,
        value: fewer('one after another', rows),
        unit: '× the program',
        bar: 10,
        atLeast: true,
      },
      {
        what: `tokens of calls side by side, ${rows} rows`,
        value: fewer('side by side', rows),
        unit: '× the program',
        bar: 3,
        atLeast: true,
      },
    ]),
  ]
}

function shown({ what, value, unit, bar, atLeast }: Row): object {
  const isKept = bar === undefined || (atLeast ? value >= bar : value <= bar)
  if (!isKept) process.exitCode = 1
  return {
    what,
    value: `${value < 10 ? value.toFixed(2) : Math.round(value)} ${unit}`,
    bar: bar === undefined ? '' : `${atLeast ? 'at least' : 'at most'} ${bar}`,
    verdict: bar === undefined ? '' : isKept ? 'ok' : 'MISSED',
  }
}
