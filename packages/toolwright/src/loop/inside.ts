/**
 * What the library itself keeps on a request: the run's settings, the observation it is part of, its tools and
 * how far it has got. Advisors do not see it in the types; spreading a request passes it on, and the chain puts it back where an advisor
 * built its request anew.
 */
import type { Watched } from '../observation/watcher.ts'
import type { RunSettings } from '../run/run-settings.ts'
import type { ToolCallback } from '../tools/tool-callback.ts'
import type { AdvisedRequest } from './advisor.ts'
import type { LiveRun } from './live-run.ts'

export interface Inside {
  readonly settings: RunSettings
  /** Set when an observer or a logger watches the run. */
  readonly watched: Watched | undefined
  /** What the client offers, without what advisors and hooks add. */
  readonly tools: readonly ToolCallback[]
  readonly live: LiveRun
}

export interface InsideRequest extends AdvisedRequest {
  /** Absent where an advisor is called by hand. */
  readonly inside?: Inside | undefined
}

/** The same under another observation. Written out, because copies of every kind cost more. */
export const insideAs = ({ settings, tools, live }: Inside, watched: Watched): Inside => ({
  settings,
  watched,
  tools,
  live,
})

/** The same request under another observation. */
export const watchedAs = (request: InsideRequest, watched: Watched): InsideRequest => ({
  ...request,
  inside: insideAs(request.inside!, watched),
})
