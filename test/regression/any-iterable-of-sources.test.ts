/** `tools()` took arrays only; a set or a generator was "no tools". */
import { describe, expect, it } from 'vitest'
import { ChatClient, staticResolver, Tool, tool, toolsOf, type ToolSource } from 'toolwright'
import { scriptedModel } from 'toolwright/testing'

const a = tool({ name: 'a', execute: () => 1 })
const b = tool({ name: 'b', execute: () => 2 })
class Clock {
  @Tool()
  now(): string {
    return 'noon'
  }
}
function* generated(): Generator<ToolSource> {
  yield a
  yield [b, new Clock()]
}

const names = (prompt: { readonly options?: { readonly tools?: readonly ToolSource[] } }) =>
  toolsOf(prompt.options!.tools!).map(({ definition }) => definition.name)

const ITERABLES: readonly (readonly [string, () => ToolSource, readonly string[]])[] = [
  ['a set', () => new Set([a, b]), ['a', 'b']],
  ['the values of a map', () => new Map(Object.entries({ a, b })).values(), ['a', 'b']],
  ['a generator', generated, ['a', 'b', 'now']],
  ['sets of sets', () => new Set<ToolSource>([new Set([a]), { b }]), ['a', 'b']],
  ['an object of its own', () => ({ [Symbol.iterator]: generated }), ['a', 'b', 'now']],
]

describe.each(ITERABLES)('%s of sources', (_name, make, expected) => {
  it('is offered by a request, which may run twice', async () => {
    const model = scriptedModel(['one', 'two', 'three'])
    const request = ChatClient.create(model).prompt('Go').tools(make())
    await request.call().content()
    for await (const _text of request.stream().content());
    await request
      .addTools(tool({ name: 'c', execute: () => 3 }))
      .call()
      .content()
    expect(model.prompts.map(names)).toEqual([expected, expected, [...expected, 'c']])
  })

  it('is offered by a client, by options and by a resolver', async () => {
    const model = scriptedModel(['one', 'two', 'three', 'four', 'five'])
    const client = ChatClient.create(model, { tools: [make()] })
    await client.prompt('Go').call().content()
    await client.with({ system: 'Be brief.' }).prompt('Go').call().content()
    const request = ChatClient.create(model)
      .prompt('Go')
      .options({ tools: [make()] })
    await request.call().content()
    await request.call().content()
    const resolver = staticResolver(make())
    await ChatClient.create(model, { resolver })
      .prompt('Go')
      .toolNames(...expected)
      .call()
      .content()
    expect(model.prompts.map(names)).toEqual([expected, expected, expected, expected, expected])
  })
})

it('a request keeps what it was given when the set changes', async () => {
  const model = scriptedModel(['one'])
  const set = new Set<ToolSource>([a])
  const request = ChatClient.create(model).prompt('Go').tools(set)
  set.add(b)
  await request.call().content()
  expect(names(model.prompts[0]!)).toEqual(['a'])
})

it('a map of tools says what to pass, and a string is no list of sources', () => {
  const { tools } = { tools: (x: unknown) => () => toolsOf(x as ToolSource) }
  expect(tools(new Map([['a', a]]))).toThrow('A map was given as a tool source: pass its values().')
  expect(tools(new Set(['a']))).toThrow('Names of tools go to .toolNames("a").')
})
