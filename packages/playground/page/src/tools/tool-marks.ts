/** What one should know of a tool before it is called, as short marks. */
import type { ShownTool } from '../../../src/protocol/shown-tool.ts'
import type { BadgeProps } from '../parts/badge.tsx'

export interface ToolMark {
  readonly label: string
  readonly tone?: BadgeProps['tone']
  readonly title: string
}

export function toolMarks(tool: ShownTool): readonly ToolMark[] {
  const { hints, effect, asks, isSupplied, returnDirect } = tool
  const isReadOnly = hints.readOnly || effect === 'read'
  const marks: readonly (ToolMark | false | undefined)[] = [
    isReadOnly && { label: 'read only', tone: 'ok', title: 'It changes nothing.' },
    hints.destructive && {
      label: 'destructive',
      tone: 'danger',
      title: 'It may destroy something.',
    },
    !isReadOnly &&
      (hints.idempotent || effect === 'idempotent') && {
        label: 'idempotent',
        title: 'Running it twice is the same as once.',
      },
    asks === 'always' && {
      label: 'asks first',
      tone: 'warn',
      title: 'A person is asked before it runs.',
    },
    asks === 'maybe' && {
      label: 'may ask',
      tone: 'warn',
      title: 'Its own rule decides by the arguments whether a person is asked.',
    },
    isSupplied && {
      label: 'supplied',
      title: 'It has no code of its own: whoever calls it supplies the result.',
    },
    hints.openWorld && { label: 'open world', title: 'It reaches systems that others control.' },
    returnDirect && {
      label: 'returns direct',
      title: 'Its result is the answer; the model does not see it again.',
    },
  ]
  return marks.filter((mark): mark is ToolMark => typeof mark === 'object')
}
