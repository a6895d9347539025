/** The system messages of a conversation. They stay while turns leave, until newer ones take their place. */
import type { Message, SystemMessage } from '../messages/message.ts'

/** Those that stand side by side belong together. */
export function systemGroups(messages: readonly Message[]): readonly (readonly SystemMessage[])[] {
  const groups: SystemMessage[][] = []
  messages.forEach((message, index) => {
    if (message.role !== 'system') return
    if (messages[index - 1]?.role === 'system') groups.at(-1)!.push(message)
    else groups.push([message])
  })
  return groups
}

/** The newest group, unless it says only what the one before it said too. */
export function currentSystem(
  groups: readonly (readonly SystemMessage[])[],
): readonly SystemMessage[] {
  const isIn = (kept: readonly SystemMessage[], { content }: SystemMessage): boolean =>
    kept.some((message) => message.content === content)
  return groups.reduce<readonly SystemMessage[]>(
    (kept, group) => (group.every((message) => isIn(kept, message)) ? kept : group),
    [],
  )
}
