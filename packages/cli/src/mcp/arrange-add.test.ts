/** Which words of `mcp add` are its own, and which the server's. */
import { expect, it } from 'vitest'
import { arrangeAdd } from './arrange-add.ts'

it.each([
  ['tools.ts --port 1', 'tools.ts --port 1'],
  ['add fs npx -y server --port 1', '-- add fs npx -y server --port 1'],
  ['add fs npx -y server --env A=1', '--env=A=1 -- add fs npx -y server'],
  ['add --env=A=1 fs npx -y server', '--env=A=1 -- add fs npx -y server'],
  ['--header x add fs http://a', '--header=x -- add fs http://a'],
  ['add fs -- server --env A=1 --', '-- add fs server --env A=1 --'],
  ['add --env A=1 fs -- server --env B=2', '--env=A=1 -- add fs server --env B=2'],
  ['add fs server --help', '-- add fs server --help'],
  ['add --help', '--help -- add'],
  ['add fs server --env', '--env'],
])('%s', (given, arranged) => {
  expect(arrangeAdd(given.split(' '))).toEqual(arranged.split(' '))
})
