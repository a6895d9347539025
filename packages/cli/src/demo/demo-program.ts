/**
 * How the demo model writes programs where it is offered nothing else: its rules choose the calls as ever, and the program
 * makes them side by side. It takes the tools from the tool that runs programs; a language model reads their declarations.
 */
import {
  allToolsOf,
  toolCallsOf,
  type Message,
  type ToolCall,
  type ToolCallback,
  type ToolDefinition,
  type ToolResponse,
  type ToolSource,
} from 'toolwright'

/** The one tool that is offered, if it runs programs, and the tools that its programs call. */
export interface ProgramDesk {
  readonly name: string
  readonly tools: readonly ToolDefinition[]
}

export async function programDesk(
  offered: readonly ToolDefinition[],
  sources: readonly ToolSource[] = [],
): Promise<ProgramDesk | undefined> {
  const [only, ...others] = offered
  if (!only || others.length > 0 || only.inputSchema.required?.join() !== 'code') return undefined
  const callbacks = await allToolsOf(sources)
  const runner = callbacks.find(({ definition }) => definition.name === only.name)
  const tools = runner?.metadata?.composite?.tools
  if (!Array.isArray(tools)) return undefined
  return { name: only.name, tools: (tools as ToolCallback[]).map(({ definition }) => definition) }
}

/** One program instead of these calls. */
export function programOf(calls: readonly ToolCall[], { name }: ProgramDesk): readonly ToolCall[] {
  const lines = calls.map((call) => `  ${callOf(call)},`)
  const code = ['const results = await Promise.all([', ...lines, '])', 'return results'].join('\n')
  return [{ ...calls[0]!, name, arguments: JSON.stringify({ code }) }]
}

const callOf = ({ name, arguments: json }: ToolCall): string =>
  `${/^[a-z_$][\w$]*$/i.test(name) ? `tools.${name}` : `tools[${JSON.stringify(name)}]`}(${json})`

/** The conversation as if the calls of its programs had been made directly. */
export function unfolded(messages: readonly Message[], { name }: ProgramDesk): readonly Message[] {
  const programs = new Map(
    messages
      .flatMap(toolCallsOf)
      .filter((call) => call.name === name)
      .map((call) => [call.id, calledIn(call)]),
  )
  return messages.map((each) =>
    each.role === 'tool'
      ? {
          ...each,
          responses: each.responses.flatMap((response) =>
            responsesOf(response, programs.get(response.id) ?? []),
          ),
        }
      : each,
  )
}

/** The names of the tools in the order of its results, from a program as it stands above. */
function calledIn({ arguments: json }: ToolCall): readonly string[] {
  const { code = '' } = JSON.parse(json) as { readonly code?: string }
  const calls = code.matchAll(/^ {2}tools(?:\.([\w$]+)|\[("(?:[^"\\]|\\.)*")\])\(/gm)
  return [...calls].map(([, plain, quoted]) => plain ?? (JSON.parse(quoted!) as string))
}

function responsesOf(response: ToolResponse, called: readonly string[]): readonly ToolResponse[] {
  const results = resultsIn(response)
  return called.map((name, at) => {
    if (!results) return { ...response, name }
    const result = results[at] ?? 'Done'
    return { ...response, name, content: typeof result === 'string' ? result : JSON.stringify(result) } // prettier-ignore
  })
}

/** Undefined: the program failed, or there was so much that its answer was cut. */
function resultsIn({ content, isError }: ToolResponse): readonly unknown[] | undefined {
  if (isError || typeof content !== 'string') return undefined
  try {
    const { result } = JSON.parse(content) as { readonly result?: unknown }
    return Array.isArray(result) ? result : undefined
  } catch {
    return undefined
  }
}
