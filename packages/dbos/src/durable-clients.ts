/** The program's clients, with their steps recorded and their states signed for every worker. */
import { DurabilityError, ToolwrightError, type ChatClient } from 'toolwright'
import type { DurableSettings } from './durable-settings.ts'
import { scopedDurability } from './steps/scoped-durability.ts'

export function durableClients(
  { clients, onUnknownOutcome }: DurableSettings,
  stateSecret: string,
): ReadonlyMap<string, ChatClient> {
  const durability = scopedDurability(onUnknownOutcome)
  const made = Object.entries(clients).map(([name, client]) => {
    try {
      return [name, client.with({ durability, stateSecret })] as const
    } catch (cause) {
      const why = ToolwrightError.is(cause) ? cause.message : 'it is no ChatClient.'
      throw new DurabilityError(
        'durable-client',
        `The client "${name}" cannot be durable: ${why}`,
        {
          cause,
        },
      )
    }
  })
  return new Map(made)
}
