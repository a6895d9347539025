import type { OutputMethod } from '../agent-message.ts'

/** How a result may join what is already at its path. */
export const OUTPUT_METHODS: readonly OutputMethod[] = ['set', 'merge', 'assign', 'push', 'concat']

export const isOutputMethod = (x: unknown): x is OutputMethod =>
  (OUTPUT_METHODS as readonly unknown[]).includes(x)
