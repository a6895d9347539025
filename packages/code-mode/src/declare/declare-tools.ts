import type { ToolDefinition } from 'toolwright'
export const declareTool = ({ name }: ToolDefinition): string =>
  `${name}(input: unknown): Promise<unknown>`
export const declareTools = (all: readonly ToolDefinition[]): string =>
  all.map(declareTool).join('\n')
