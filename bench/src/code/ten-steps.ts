/**
 * A task of ten dependent steps, held three ways: one call after another, calls of a step side by side, and one program.
 * Scripted: no model wrote it, and no failed attempt is counted. Tokens are characters of all that is sent, by four.
 */
import { codeMode } from '@toolwright/code-mode'
import { ChatClient, tool, type ChatModel, type Prompt, type ToolSource } from 'toolwright'
import { scriptedModel, type ScriptedStep } from 'toolwright/testing'

const ROWS = [5, 20]
const PEOPLE = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Tony', 'Niklaus', 'John']

const person = {
  type: 'object',
  properties: { person: { type: 'string' } },
  required: ['person'],
} as const

const expensesOf = (rows: number) =>
  tool({
    name: 'expenses',
    description: 'The expenses of a person in this quarter',
    input: person,
    execute: ({ person: whom }: { person: string }) =>
      Array.from({ length: rows }, (_, row) => ({
        id: `${whom}-${row}`,
        category: row % 3 === 0 ? 'travel' : 'meals',
        amount: 10 + row,
        currency: 'EUR',
        date: `2026-10-${String((row % 28) + 1).padStart(2, '0')}`,
        note: `Receipt number ${row} of ${whom}`,
      })),
  })
const team = tool({ name: 'team', description: 'Who is in the team', execute: () => PEOPLE })

const calls = (names: readonly string[]): ScriptedStep => ({
  toolCalls: names.map((name) => ({ name: 'expenses', arguments: { person: name } })),
})
const PROGRAM = `const people = await tools.team({})
const all = await Promise.all(people.map((person) => tools.expenses({ person })))
return people.map((person, i) => ({ person, travel: all[i].filter((each) => each.category === 'travel').reduce((sum, each) => sum + each.amount, 0) }))`

const WAYS: { readonly [way: string]: readonly ScriptedStep[] } = {
  'one after another': [
    { toolCalls: [{ name: 'team' }] },
    ...PEOPLE.map((name) => calls([name])),
    'Done.',
  ],
  'side by side': [{ toolCalls: [{ name: 'team' }] }, calls(PEOPLE), 'Done.'],
  'one program': [{ toolCalls: [{ name: 'runProgram', arguments: { code: PROGRAM } }] }, 'Done.'],
}

/** Input tokens by way and number of rows. */
export async function tokensOfTask(): Promise<{ readonly [way: string]: number }> {
  const all: { [way: string]: number } = {}
  for (const rows of ROWS)
    for (const [way, script] of Object.entries(WAYS)) {
      const tools: readonly ToolSource[] =
        way === 'one program'
          ? [codeMode({ tools: [team, expensesOf(rows)] })]
          : [team, expensesOf(rows)]
      all[`${way}, ${rows} rows`] = await inputTokens(script, tools)
    }
  return all
}

async function inputTokens(
  script: readonly ScriptedStep[],
  tools: readonly ToolSource[],
): Promise<number> {
  let characters = 0
  const scripted = scriptedModel([...script])
  const model: ChatModel = {
    ...scripted,
    call(prompt: Prompt, run) {
      const { messages, options } = prompt
      const definitions = (options?.tools ?? []).map(
        (each) => (each as { definition: object }).definition,
      )
      characters += JSON.stringify([messages, definitions]).length
      return scripted.call(prompt, run)
    },
  }
  await ChatClient.create(model, { tools })
    .prompt('How much did each person of the team spend on travel?')
    .call()
    .content()
  return Math.ceil(characters / 4)
}
