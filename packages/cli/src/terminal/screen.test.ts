import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { Screen } from './screen.ts'

function screenOf(columns: number, isTTY = true) {
  const output = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY, columns })
  const screen = new Screen({ output: output as unknown as NodeJS.WriteStream, env: {} })
  onTestFinished(() => screen.status(undefined))
  return { screen, written: () => String(output.read() ?? '') }
}

it('keeps its status so short that no resize breaks it into two lines', () => {
  for (const [columns, width] of [
    [80, 18],
    [20, 18],
    [10, 9],
  ] as const) {
    const { screen, written } = screenOf(columns)
    screen.status('aToolWithAVeryLongNameIndeed')
    expect(stripVTControlCharacters(written()).trim()).toHaveLength(width)
  }
})

it('takes the status away before anything else is written', () => {
  const { screen, written } = screenOf(80)
  const away = '\r\x1b[K'
  screen.status('thinking')
  written()
  screen.block('a block')
  expect(written()).toBe(`${away}a block\n`)
  screen.status('working')
  expect(written()).toContain('working')
  screen.flow('some text ')
  expect(written()).toBe(`${away}some text`)
  screen.status('another')
  // Not beside text.
  expect(written()).toBe('')
  screen.endLine()
  expect(written()).toBe('\n')
})

it('has no status where nothing can be taken back', () => {
  const { screen, written } = screenOf(80, false)
  screen.status('thinking')
  expect(written()).toBe('')
})

it('colours line by line, and wraps what it colours', () => {
  const { screen, written } = screenOf(12)
  screen.block('one two three four', { style: screen.styles.red, hanging: '  ' })
  expect(written()).toBe('\x1b[31mone two\x1b[39m\n\x1b[31m  three four\x1b[39m\n')
})
