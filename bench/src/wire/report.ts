/** Prints what was measured. Knows nothing of how. */
import type { WireCase } from './cases.ts'
import { CONTENDERS, CONTROL } from './contenders.ts'
import type { Figures } from './measure.ts'
import type { Verdict } from './verdicts.ts'
import { minimumRatio } from './verdicts.ts'

const COLUMNS = ['CPU min', 'CPU median', 'wall min', '/ raw-fetch', '/ raw-http']

export function printCase(wireCase: WireCase, figures: Figures): void {
  console.log(`\n${wireCase.name}: ${wireCase.title} (ms per conversation)`)
  console.log(line('', COLUMNS))
  for (const { name } of CONTENDERS) {
    const figure = figures.get(name)
    if (figure === undefined) continue
    const times = [figure.cpuMinimum, figure.cpuMedian, figure.wallMinimum].map((ms) =>
      ms.toFixed(3),
    )
    const ratios = ['raw-fetch', 'raw-http'].map((rival) =>
      ratioText(minimumRatio(figures, name, rival)),
    )
    console.log(line(name, [...times, ...ratios]))
  }
  printControl(figures)
}

function printControl(figures: Figures): void {
  const first = figures.get(CONTROL.first)
  const second = figures.get(CONTROL.second)
  if (first === undefined || second === undefined) return
  const minimum = ratioText(second.cpuMinimum / first.cpuMinimum)
  const median = ratioText(second.cpuMedian / first.cpuMedian)
  console.log(
    `  A/A control ${CONTROL.second} / ${CONTROL.first}: ${minimum} by minimum, ${median} by median`,
  )
}

export function printVerdicts(verdicts: readonly Verdict[]): void {
  for (const { what, ratio, bar, ok } of verdicts) {
    console.log(`  ${ok ? 'ok  ' : 'OVER'}  ${what}: ×${ratio.toFixed(3)} (bar ×${bar.toFixed(2)})`)
  }
}

function ratioText(ratio: number): string {
  return Number.isNaN(ratio) ? '-' : `×${ratio.toFixed(2)}`
}

function line(name: string, cells: readonly string[]): string {
  return `  ${name.padEnd(22)}${cells.map((cell) => cell.padStart(12)).join('')}`
}
