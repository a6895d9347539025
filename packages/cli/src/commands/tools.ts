/** `toolwright tools <file>`: what tools a file exports, for a reader or, with --json, for a program. */
import { command } from '../command/command.ts'
import { listTools } from '../listing/list-tools.ts'
import { loadTools } from '../load/load-tools.ts'
import { printsAside } from '../terminal/prints-aside.ts'
import { widthOf } from '../terminal/wrap.ts'

export const tools = command({
  name: 'tools',
  takes: '<file>',
  arity: [1, 1],
  summary: 'List the tools a file exports',
  options: {
    json: { type: 'boolean', help: 'Print the definitions as JSON, as a model gets them' },
  },
  notes: `
Takes tools made by tool(), arrays and records of them, providers, objects and classes with @Tool methods or
static tools, and what toolwright generate wrote beside the file.

  toolwright tools src/alarm-tools.ts
  toolwright tools src/alarm-tools.ts --json | jq '.[].name'`,

  async run({ arguments: [file], options }, io) {
    const loaded = await printsAside(io, () => loadTools(file!, io))
    const definitions = loaded.tools.map((tool) => tool.definition)
    const text = options.json
      ? JSON.stringify(definitions, null, 2)
      : listTools(loaded.tools, widthOf(io.stdout))
    io.stdout.write(`${text}\n`)
    return 0
  },
})
