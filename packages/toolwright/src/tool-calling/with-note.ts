/** What a tool gave, with a remark for the model after it. */
import type { ToolOutput } from '../tools/tool-callback.ts'

export const withNote = (output: ToolOutput, note: string): ToolOutput =>
  typeof output === 'string' ? `${output}\n\n${note}` : [...output, { type: 'text', text: note }]
