/** What `codeMode()` takes and refuses, before any program. */
import { codeMode, type CodeModeOptions } from '@toolwright/code-mode'
import { describe, expect, it } from 'vitest'
import { allToolsOf, ConfigurationError, tool } from 'toolwright'
import { eventsOf, scenario, toldByTools } from '../e2e/scenario.ts'
import { programs } from './ways.ts'

const look = tool({ name: 'look', description: 'Looks around', execute: () => 'seen' })

/** What it says of options that it refuses. */
function refused(options: unknown): ConfigurationError {
  try {
    codeMode(options as CodeModeOptions)
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ConfigurationError)
    return thrown as ConfigurationError
  }
  throw new Error(`It takes ${JSON.stringify(options)}.`)
}

describe('options', () => {
  it('are refused by name if there are none of it', () => {
    const tools = [look]
    const option = refused({ tools, timeout: 5 })
    expect(option).toMatchObject({ code: 'unknown-option', message: expect.stringContaining('"timeout"') }) // prettier-ignore
    const limit = refused({ tools, limits: { memory: 5 } })
    expect(limit).toMatchObject({ code: 'unknown-option', message: expect.stringMatching(/limits.*"memory".*memoryBytes/) }) // prettier-ignore
  })

  for (const [name, value] of [
    ['tools', undefined],
    ['tools', null],
    ['name', ''],
    ['name', 5],
    ['description', 5],
    ['approval', 'yes'],
    ['search', {}],
    ['sandbox', {}],
    ['declarationTokens', 0],
    ['declarationTokens', 1.5],
  ] as const)
    it(`are refused with a wrong value: ${name}: ${JSON.stringify(value)}`, () => {
      const { code, message } = refused({ tools: [look], [name]: value })
      expect([code, message]).toEqual(['invalid-option', expect.stringContaining(name)])
    })

  for (const [name, value] of [
    ['memoryBytes', 1000],
    ['stackBytes', 1000],
    ['fuel', 2 ** 40],
    ['fuel', 0],
    ['turnMs', 0.5],
    ['turnMs', '5'],
    ['openCalls', 0],
    ['valueBytes', Number.NaN],
    ['consoleBytes', -1],
    ['codeBytes', 0],
    ['journalBytes', Number.POSITIVE_INFINITY],
  ] as const)
    it(`are refused with a limit that no program could have: ${name}: ${value}`, () => {
      const { code, message } = refused({ tools: [look], limits: { [name]: value } })
      expect(code).toBe('invalid-option')
      expect(message).toMatch(new RegExp(`limits.${name} is a whole number from \\d+ to \\d+`))
    })

  it('may be left undefined, and limits are taken one by one', () => {
    const limits = { memoryBytes: 2 ** 20, fuel: 2 ** 31 - 1, consoleBytes: 0, turnMs: undefined }
    expect(() => codeMode({ tools: [look], limits } as never)).not.toThrow()
  })

  it('refuse what is no object', () => {
    expect(refused(undefined).message).toContain('an object with tools')
  })
})

describe('name and description', () => {
  const named = { name: 'script', description: 'Write a script.' }

  it('are what the model reads', async () => {
    const [{ definition }] = (await allToolsOf(codeMode({ tools: [look], ...named }))) as [typeof look] // prettier-ignore
    expect(definition.name).toBe('script')
    expect(definition.description).toMatch(/^Write a script\.\n\n/)
    expect(definition.description).toContain('Looks around')
  })

  scenario('are what it calls', {
    script: [
      { toolCalls: [{ name: 'script', id: 'p', arguments: { code: 'return tools.look()' } }] },
      'Done.',
    ],
    tools: () => [programs([look], named)],
    check({ prompts, events }) {
      expect(toldByTools(prompts[1])).toEqual([{ content: '{"result":"seen"}' }])
      expect(eventsOf(events, 'tool-call')[0]!.toolCall.name).toBe('script')
    },
  })
})

describe('approval', () => {
  const asking = (code: string, id: string) => ({ toolCalls: [{ name: 'runProgram', id, arguments: { code } }] }) // prettier-ignore

  scenario('is asked with the program, and decides which of them somebody reviews', {
    script: [asking('return 1', 'small'), asking('return tools.look()', 'large'), 'Done.'],
    tools: ({ log }) => [
      programs([look], {
        approval: ({ code }, { callId }) => (log.push([callId, code]), code.includes('look')),
      }),
    ],
    resume: [() => ({ large: 'approve' })],
    check({ legs, log, prompts }) {
      expect(log).toEqual([['small', 'return 1'], ['large', 'return tools.look()']]) // prettier-ignore
      expect(legs[0]!.result!.pending).toMatchObject([{ callId: 'large', kind: 'approval' }])
      expect(toldByTools(prompts.at(-1))).toEqual([{ content: '{"result":"seen"}' }])
    },
  })
})
