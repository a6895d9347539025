/** `--code-mode`: the model is offered one tool, which runs programs, and only programs call the others. */
import type { ToolSource } from 'toolwright'

/** Loads what programs need: an engine is not for every chat. */
export async function programTools(): Promise<
  (tools: readonly ToolSource[]) => readonly ToolSource[]
> {
  const { codeMode } = await import('@toolwright/code-mode')
  const { keywordToolIndex } = await import('toolwright/tool-search')
  // Used where there are more tools than a request should list.
  const search = keywordToolIndex()
  return (tools) => [codeMode({ tools, search })]
}
