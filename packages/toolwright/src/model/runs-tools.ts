/** Marks a model that runs tool calls itself: asking it twice could do a thing twice. Two copies of the package understand each other. */
import type { ChatModel } from './chat-model.ts'

export const RUNS_TOOLS: unique symbol = Symbol.for('toolwright.runs-tools') as never

export const runsTools = (model: ChatModel): boolean => RUNS_TOOLS in model
