/** What tools of several servers are called where their names clash. */
import { tool } from 'toolwright'
import { expect, it } from 'vitest'
import { tellApart, type ServerList } from './tell-apart.ts'

const list = (label: string, ...names: string[]): ServerList => ({
  label,
  tools: names.map((name) => tool({ name, description: name, execute: () => name })),
})
const named = (
  lists: readonly ServerList[],
  taken: readonly string[],
  clashed = new Set<string>(),
) =>
  tellApart(lists, { taken: new Set(taken), clashed }).map((tools) =>
    tools.map(({ definition }) => definition.name),
  )

it('leaves names alone that only one server has', () => {
  expect(named([list('one', 'a'), list('two', 'b')], ['c'])).toEqual([['a'], ['b']])
})

it('gives a name that two have to neither, whatever the order', () => {
  const one = list('one', 'ping', 'a')
  const two = list('two', 'ping')
  expect(named([one, two], [])).toEqual([['one_ping', 'a'], ['two_ping']])
  expect(named([two, one], [])).toEqual([['two_ping'], ['one_ping', 'a']])
})

it('leaves the tool of a file its name', () => {
  expect(named([list('one', 'ping')], ['ping'])).toEqual([['one_ping']])
})

it('tells servers apart that are called the same, and finds a name that is free', () => {
  expect(named([list('s', 'ping'), list('s', 'ping'), list('t', 's_ping')], [])).toEqual([
    ['s2_ping'],
    ['s22_ping'],
    ['s_ping'],
  ])
})

it('makes names that models take', () => {
  const [[name = '']] = named([list('@a/b c!', 'x'.repeat(64))], ['x'.repeat(64)]) as [[string]]
  expect(name).toMatch(/^a_b_c_x{58}$/)
})

it('keeps a name that clashed once, though the other tool is gone', () => {
  const clashed = new Set<string>()
  const one = list('one', 'ping')
  named([one, list('two', 'ping')], [], clashed)
  expect(named([one, list('two')], [], clashed)).toEqual([['one_ping'], []])
})

it('calls the tool as before', async () => {
  const [[renamed]] = tellApart([list('one', 'ping')], {
    taken: new Set(['ping']),
    clashed: new Set(),
  }) as [[ReturnType<typeof tool>]]
  expect(await renamed.call('{}')).toBe('ping')
})
