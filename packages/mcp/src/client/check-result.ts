/** The end of a call: its answer has to be one, failed work is a failure, and what a tool declares is held against it. */
import { checkJson, McpError, ToolExecutionError, type JsonSchema, type ToolRun } from 'toolwright'
import { readResult, wordsOf, type McpToolResult } from '../content/tool-result.ts'
import { TOOL_ERROR } from './connection-facts.ts'
import type { RawResult } from './inbound.ts'
import type { RemoteDefinition } from './remote-definition.ts'

export interface Answering {
  readonly definition: RemoteDefinition
  readonly server: string
  readonly run: ToolRun
}

export function readComplete(raw: RawResult, answering: Answering): McpToolResult {
  const { definition, server, run } = answering
  const { resultType = 'complete' } = raw
  if (resultType !== 'complete')
    throw wrong(
      answering,
      `answered with a result of type ${JSON.stringify(resultType)}, which is not known`,
    )
  const { content = [] } = raw
  if (!Array.isArray(content) || (raw.content === undefined && raw.structuredContent === undefined))
    throw wrong(answering, 'answered with a result that has no content')
  const result = { ...raw, content } as McpToolResult
  if (raw.isError === true) {
    run.facts?.(TOOL_ERROR)
    throw new ToolExecutionError(wordsOf(result), { toolName: definition.name })
  }
  for (const problem of readResult(result).problems)
    run.notice('mcp-ignored', `Server "${server}", tool "${definition.name}": ${problem}.`, {
      server,
    })
  checkOutput(result, answering)
  return result
}

function checkOutput(
  { structuredContent }: McpToolResult,
  { definition, server, run }: Answering,
): void {
  const { outputSchema, name } = definition
  if (!outputSchema) return
  const mismatch =
    structuredContent === undefined
      ? 'it has no structured content'
      : mismatchOf(outputSchema, structuredContent)
  if (mismatch === undefined) return
  run.notice(
    'mcp-output-mismatch',
    `Server "${server}", tool "${name}": its result is not what it declares: ${mismatch}.`,
    { server },
  )
}

function mismatchOf(schema: object, value: unknown): string | undefined {
  try {
    const checked = checkJson(schema as JsonSchema, value)
    if (checked.ok) return undefined
    return checked.issues
      .slice(0, 5)
      .map(({ path, expected, received }) => `${path} is ${received}, not ${expected}`)
      .join('; ')
  } catch {
    return 'what it declares is no schema'
  }
}

const wrong = ({ server, definition }: Answering, what: string): McpError =>
  new McpError('mcp-protocol', `Server "${server}", tool "${definition.name}", ${what}.`, {
    server,
  })
