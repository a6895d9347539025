/**
 * Messages in groups of some, by their numbers: what is out of sight is left out by groups, because ten thousand things
 * to leave out are too many to look after in every frame. Groups stay the same when others come before or after them.
 */
import type { ShownMessage } from '../../../src/protocol/conversation.ts'

export type MessageGroup = readonly ShownMessage[]

const GROUP_SIZE = 20

export function messageGroups(
  messages: readonly ShownMessage[],
  before: readonly MessageGroup[],
): readonly MessageGroup[] {
  const groups: ShownMessage[][] = []
  let number = -1
  for (const message of messages) {
    if (groupOf(message) !== number) groups.push([])
    number = groupOf(message)
    groups.at(-1)!.push(message)
  }
  const known = new Map(before.map((group) => [groupOf(group[0]!), group]))
  return groups.map((group) => {
    const same = known.get(groupOf(group[0]!))
    return same && isSame(same, group) ? same : group
  })
}

export const groupOf = ({ index }: ShownMessage): number => Math.floor(index / GROUP_SIZE)

const isSame = (one: MessageGroup, other: MessageGroup): boolean =>
  one.length === other.length && one.every((message, at) => message === other[at])
