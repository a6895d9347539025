import { describe, expect, it } from 'vitest'
import { argumentsLine, shownArguments } from './shown-arguments.ts'

describe('arguments as they are shown', () => {
  it('indents JSON, and shows nothing of no arguments', () => {
    expect(shownArguments('{"city":"Bonn"}')).toEqual({ text: '{\n  "city": "Bonn"\n}' })
    expect(shownArguments('{}')).toEqual({})
    expect(shownArguments('')).toEqual({})
  })

  it('shows code as code beside the other fields', () => {
    expect(shownArguments('{"code":"let a = 1\\na","limit":2}')).toEqual({
      code: 'let a = 1\na',
      text: '{\n  "limit": 2\n}',
    })
  })

  it('shows code while it is written, whatever the beginning ends in', () => {
    expect(shownArguments('{"code":"let a = \\"x\\"\\nf')).toEqual({ code: 'let a = "x"\nf' })
    expect(shownArguments('{"code":"tab\\')).toEqual({ code: 'tab' })
    expect(shownArguments('{"code":"snow\\u26')).toEqual({ code: 'snow' })
  })

  it('shows a beginning, and what is no JSON, as it came', () => {
    expect(shownArguments('{"city":"Bo')).toEqual({ text: '{"city":"Bo' })
    expect(shownArguments('city=Bonn')).toEqual({ text: 'city=Bonn' })
  })

  it('has a line for cards that are closed', () => {
    expect(argumentsLine('{\n  "a": 1\n}')).toBe('{ "a": 1 }')
    expect(argumentsLine('x'.repeat(1000))).toHaveLength(120)
  })
})
