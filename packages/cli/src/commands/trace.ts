/** `toolwright trace <file>`: what happened in runs, as a tree, or as a page that needs no server. */
import { command } from '../command/command.ts'
import { runTrace } from '../trace/run-trace.ts'

export const trace = command({
  name: 'trace',
  takes: '<file>',
  arity: [1, 1],
  summary: 'Show what happened in runs, from a trace file',
  options: {
    run: { type: 'string', value: 'id', help: 'Only this run: its id, or the beginning of it' },
    html: { type: 'string', value: 'file', help: 'Write a page instead, in one file' },
    prices: {
      type: 'string',
      value: 'file',
      help: 'Show what it cost, by the prices in this file',
    },
    json: { type: 'boolean', help: 'Print what was read as JSON, with --prices also costs' },
  },
  notes: `
The file is what traceFile(path) of toolwright/trace writes. Each run is shown with its rounds, the model's
answers and the calls: how long each took, tokens, errors, and what waited for whom.

  toolwright trace run.jsonl
  toolwright trace run.jsonl --run run_4f --html trace.html
  toolwright trace run.jsonl --prices prices.json

Prices are for a million tokens, by the model's name:

  { "models": { "gpt-5.4": { "input": 1.25, "output": 10, "cacheRead": 0.125 } } }

The page has a timeline and, where content was recorded, the messages as the model got them. It loads nothing
and runs nothing of what it shows. Only its owner can read it, as the trace.

Exit codes: 0 shown; 2 the file is no trace, or cannot be read.`,

  run: ({ arguments: [file], options }, io) => runTrace({ file: file!, ...options }, io),
})
