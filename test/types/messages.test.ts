/** What the compiler says where a mistake is likely: the words are part of the API. */
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { fencesOf, problemsOf } from '../../scripts/docs/code-fences.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const said = (code: string): Promise<readonly string[]> =>
  problemsOf(root, fencesOf(['```ts', code, '```'].join('\n'), 'test.md'))

it('a misspelt tool name is answered with the names there are', async () => {
  const problems =
    await said(`import { ChatClient, tool, toolRegistry, type ChatModel } from 'toolwright'
declare const model: ChatModel
const weather = tool({ execute: () => 'sunny' })
const resolver = toolRegistry({ currentWeather: weather, forecast: weather })
export const client = ChatClient.create(model, { resolver, toolNames: ['now'] })
client.prompt('Go').toolNames('currentWether')
client.with({ toolNames: ['now'] })`)
  const names = `"currentWeather" | "forecast"`
  expect(problems).toEqual([
    `test.md:6: Type '"now"' is not assignable to type '${names}'.`,
    `test.md:7: Argument of type '"currentWether"' is not assignable to parameter of type '${names}'.`,
    expect.stringContaining(`Type '"now"' is not assignable to type '${names}'`),
  ])
})
