/**
 * Marks a model that runs tool calls itself: asking it again could run a tool again. Two copies of the
 * package recognise each other's mark.
 */
import type { ChatModel } from './chat-model.ts'

export const RUNS_TOOLS: unique symbol = Symbol.for('toolwright.runs-tools') as never

export const runsTools = (model: ChatModel): boolean => RUNS_TOOLS in model
