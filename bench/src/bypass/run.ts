/**
 * `npm run bench -- bypass [--only words]`: what holds for a call of the model, does it hold for the same call of a program?
 * Every case runs for real, for this library and its peers. Ends with exit code 1 when this library is wrong in a case.
 */
import { parseArgs } from 'node:util'
import { compile } from '../compile.ts'
import { CASE_NAMES, CASES, type CaseName, type NoWay, type Way } from './cases.ts'
import { CONTENDERS, describe, installPeers, nodeOf, type Contender } from './contenders.ts'
import { inOwnProcess } from './in-own-process.ts'
import { printTable, type Row } from './print-table.ts'

interface Cell {
  readonly seen: string
  readonly isRight: boolean
  readonly isUntried?: true
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { only: { type: 'string', default: '' } } })
  const noPeers = installPeers()
  for (const contender of CONTENDERS) console.log(describe(contender))
  const rows = []
  for (const name of CASE_NAMES.filter((each) => each.includes(values.only)))
    rows.push(await rowOf(name, noPeers))
  printTable(rows)
}

async function rowOf(name: CaseName, noPeers: string | undefined): Promise<Row> {
  const row: { [column: string]: string } = { case: name, must: CASES[name].must }
  for (const contender of CONTENDERS) {
    const isOurs = contender === CONTENDERS[0]
    const cell: Cell =
      isOurs || noPeers === undefined
        ? await cellOf(name, contender)
        : { seen: noPeers, isRight: false, isUntried: true }
    if (isOurs && !cell.isRight) process.exitCode = 1
    row[contender.name] = shown(cell)
  }
  return row
}

function shown({ seen, isRight, isUntried }: Cell): string {
  const verdict = isUntried ? 'not tried' : isRight ? 'ok' : 'NO'
  return `${verdict}: ${seen.replaceAll(/\w*Error: |"/g, '')}`
}

/** In a program; beside it, what is seen directly, where that is another thing. */
async function cellOf(name: CaseName, contender: Contender): Promise<Cell> {
  const observe = await observer(contender)
  const nested = await observe(name, 'nested')
  if (!CASES[name].alsoDirect) return nested
  const direct = await observe(name, 'direct')
  const beside = direct.seen === nested.seen ? 'directly too' : `directly: ${direct.seen}`
  return nested.isRight && direct.seen === nested.seen
    ? nested
    : { seen: `${nested.seen} (${beside})`, isRight: nested.isRight }
}

async function observer(
  contender: Contender,
): Promise<(name: CaseName, way: Way) => Promise<Cell>> {
  const { source, folder } = contender
  const file = (await compile([source], folder))(source)
  const node = nodeOf(contender)
  return async (name, way) => {
    const observed = await inOwnProcess({ node, args: [file, name, way] })
    if ('failed' in observed) return { seen: observed.failed, isRight: false }
    const { noWay } = observed.facts as Partial<NoWay>
    if (noWay !== undefined) return { seen: `no way: ${noWay}`, isRight: false }
    return CASES[name].judge(observed.facts as never)
  }
}
