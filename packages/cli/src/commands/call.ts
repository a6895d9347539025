/** `toolwright call <file> <tool> <json>`: checks and runs one tool, of a file or an MCP server, without any model. */
import { ToolwrightError } from 'toolwright'
import { abortOnInterrupt, INTERRUPTED } from '../command/interrupts.ts'
import { command } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { BY_A_TOOL, orEnded } from '../command/ended-process.ts'
import { decideOnTerminal } from '../call/ask-on-terminal.ts'
import { readArguments, readContext } from '../call/read-arguments.ts'
import { runOneCall, type CallResult, type OneCallRun } from '../call/run-one-call.ts'
import { writeOutput } from '../call/write-output.ts'
import { findTool } from '../load/find-tool.ts'
import { ownLine } from '../load/own-line.ts'
import { MCP_OPTIONS, TOOLS_OPTION, wantedServers } from '../mcp/mcp-options.ts'
import { withTools } from '../mcp/with-tools.ts'
import { printable } from '../terminal/printable.ts'
import { printsAside } from '../terminal/prints-aside.ts'
import { valueText } from '../terminal/value-text.ts'

export const call = command({
  name: 'call',
  takes: '<file> <tool> [<json> | -]',
  arity: [2, 3],
  variant: { options: ['mcp', 'tools'], takes: '<tool> [<json> | -]', arity: [1, 2] },
  summary: 'Check arguments and run one tool',
  options: {
    ...MCP_OPTIONS,
    tools: TOOLS_OPTION,
    context: {
      type: 'string',
      value: 'key=value|json',
      multiple: true,
      help: "What the tool's context holds; may be given more than once",
    },
    yes: { type: 'boolean', short: 'y', help: 'Approve the call, if the tool asks' },
    out: {
      type: 'string',
      value: 'file',
      help: 'Write the output, an image for example, to a file',
    },
    full: { type: 'boolean', help: 'Show long output whole on a terminal' },
  },
  notes: `
The output goes to standard output as it is; progress, and what the tool prints itself, to standard error.
No arguments are {}; - reads them from standard input.

  toolwright call alarm-tools.ts setAlarm '{"time":"2026-01-01T06:00:00Z"}'
  echo '{"city":"Paris"}' | toolwright call weather.ts getWeather - --context units=metric
  toolwright call --mcp https://example.com/mcp getWeather '{"city":"Paris"}'

Exit codes: 0 the tool answered; 1 its arguments do not fit, it failed, it was not approved, or an MCP server does
not answer; 2 there is no such file or tool, or the arguments are not JSON; 130 interrupted.`,

  async run({ arguments: words, options }, io) {
    const interrupts = abortOnInterrupt()
    const { signal, abort } = interrupts
    const { mcp = [], tools: more = [] } = options
    const files = mcp.length + more.length > 0 ? more : words.slice(0, 1)
    const [name = '', json = '{}'] = files === more ? words : words.slice(1)
    try {
      const wanted = { files, ...wantedServers(options), signal }
      return await withTools(wanted, io, async (found) => {
        const result = await printsAside(io, async () => {
          const run: OneCallRun = {
            tool: findTool(found.tools, name, found.where),
            arguments: await readArguments(json, io),
            context: readContext(options.context ?? []),
            signal,
            onProgress: (progress) => void io.stderr.write(`${progressLine(progress)}\n`),
            decide: (pending) =>
              decideOnTerminal(pending, { io, abort, signal, yes: options.yes ?? false }),
          }
          return orEnded(BY_A_TOOL, () => runOneCall(run))
        })
        refuseFailure(name, result, { listedBy: found.listedBy, cwd: io.cwd })
        writeOutput(result.response.content, io, { full: options.full ?? false, out: options.out })
        return 0
      })
    } catch (error) {
      if (!signal.aborted) throw asCommandError(error)
      io.stderr.write('toolwright: interrupted.\n')
      return INTERRUPTED
    } finally {
      interrupts.stop()
    }
  },
})

/** How the library starts a refusal, which is worded for a model. */
const NOT_RUN = /^Not run: /

function refuseFailure(
  name: string,
  { response, thrown }: CallResult,
  { listedBy, cwd }: { readonly listedBy: string; readonly cwd: string },
): void {
  if (!response.isError) return
  const message = typeof response.content === 'string' ? response.content : 'it gave an error'
  const text = thrown
    ? `${name} failed: ${thrown.toolMessage}${placeOf(thrown.cause, cwd)}`
    : NOT_RUN.test(message)
      ? `${message.replace(NOT_RUN, `${name} did not run: `)}. ${listedBy} says what it takes.`
      : `${name}: ${message}`
  throw new CommandError(printable(text), { exitCode: 1, cause: thrown })
}

/** The library's own errors say what to do; where it threw them is of no help. */
const placeOf = (cause: unknown, cwd: string): string =>
  ToolwrightError.is(cause) ? '' : ownLine(cause, cwd)

/** The context does not fit, or the tool's own schemas are wrong: the library's message says what to do. */
function asCommandError(error: unknown): unknown {
  if (!ToolwrightError.is(error)) return error
  const fix = error.code === 'invalid-tool-context' ? ' Give it with --context key=value.' : ''
  const exitCode = error.family === 'outside' ? 1 : 2
  return new CommandError(`${printable(error.message)}${fix}`, { exitCode, cause: error })
}

const progressLine = (progress: unknown): string => printable(valueText(progress))
