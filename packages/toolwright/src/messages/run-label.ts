/** The high-water mark of all labels in a conversation: once untrusted or private, always. */
import type { Label, Message } from './message.ts'

export function runLabel(messages: readonly Message[]): Label {
  let untrusted: boolean = false
  let isPrivate: boolean = false
  const meet = (label: Label | undefined): void => {
    untrusted ||= label?.trust === 'untrusted'
    isPrivate ||= label?.private === true
  }
  for (const message of messages) {
    meet(message.label)
    if (message.role === 'assistant') meet(message.mark)
    const inside = message.role === 'tool' ? message.responses : message.content
    if (typeof inside !== 'string') for (const item of inside) meet(item.label)
  }
  return { trust: untrusted ? 'untrusted' : 'trusted', ...(isPrivate ? { private: true } : {}) }
}

/** The high-water mark of both: of the first, its source. */
export function joinedLabel(label: Label, other: Label | undefined): Label {
  if (!other) return label
  const isPrivate = label.private === true || other.private === true
  const isUntrusted = label.trust === 'untrusted' || other.trust === 'untrusted'
  return {
    ...label,
    trust: isUntrusted ? 'untrusted' : 'trusted',
    ...(isPrivate && { private: true as const }),
  }
}

/** The high-water mark of messages and labels. Undefined if there is nothing to know: all is trusted, and public. */
export function labelMet(
  messages: readonly Message[],
  ...labels: readonly (Label | undefined)[]
): Label | undefined {
  const { trust, private: isPrivate } = labels.reduce<Label>(joinedLabel, runLabel(messages))
  if (trust === 'trusted' && !isPrivate) return undefined
  return { trust, ...(isPrivate && { private: true as const }) }
}
