import type { ToolContext } from 'toolwright'

type Channel = 'mail' | 'sms'

interface Named {
  name: string
}

interface Reachable {
  /** At least one */
  channels: Channel[]
}

/**
 * Tell people something.
 * @tool
 * @param text What to say {@minLength 1}
 * @param at When; at once if left out
 * @param people Whom to tell
 */
export function notify(
  context: ToolContext,
  text: string,
  at: Date | undefined,
  ...people: (Named & Reachable)[]
): string {
  const when = at ? ` at ${at.toISOString()}` : ''
  const who = people.map(({ name, channels }) => `${name} by ${channels.join('+')}`)
  return `${context.toolName}: "${text}"${when} to ${who.join(', ')}`
}

/**
 * Whether somebody may be told now.
 * @tool
 * @readOnly
 */
export const mayDisturb = (name: string, urgent: boolean): boolean => urgent || name !== 'Ada'
