/**
 * What a remote tool's own hints are worth. A stranger's hints only tighten: they can ask for approval, never save it
 * for a tool that changes something. Hints of a trusted source count as those of the program's own tools.
 */
import type { ToolEffect, ToolHints, ToolLabels } from 'toolwright'

export type Trust = 'untrusted' | 'trusted'

/** Hints as the source gave them; any may be missing. */
export interface RemoteHints {
  readonly readOnly?: boolean | undefined
  readonly destructive?: boolean | undefined
  readonly idempotent?: boolean | undefined
  readonly openWorld?: boolean | undefined
}

export interface HeldHints {
  readonly hints: ToolHints
  readonly effect: ToolEffect
  readonly approval: boolean
  readonly labels: ToolLabels
  /** Whether a call that was cut off may be sent again by itself. */
  readonly repeatable: boolean
}

export function heldHints(remote: RemoteHints, trust: Trust): HeldHints {
  return trust === 'trusted' ? asGiven(remote) : tightened(remote)
}

function asGiven({ readOnly, destructive, idempotent, openWorld }: RemoteHints): HeldHints {
  const reads = readOnly === true
  const isIdempotent = reads || idempotent === true
  return {
    // By the protocol's default every tool that writes is destructive; a program that trusts a server is not asked for
    // each of its calls, only for those that the server itself calls destructive.
    hints: {
      ...(reads && { readOnly: true }),
      ...(destructive === true && !reads && { destructive: true }),
      ...(isIdempotent && { idempotent: true }),
      openWorld: openWorld !== false,
    },
    effect: reads ? 'read' : isIdempotent ? 'idempotent' : 'once',
    approval: false,
    labels: { emits: 'trusted', sends: openWorld !== false },
    repeatable: isIdempotent,
  }
}

function tightened({ readOnly, destructive }: RemoteHints): HeldHints {
  return {
    hints: { ...(destructive === true && { destructive: true }), openWorld: true },
    effect: 'once',
    approval: readOnly !== true,
    labels: { emits: 'untrusted', sends: true },
    repeatable: false,
  }
}
