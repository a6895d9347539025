/** A signal that follows that of a request until the work goes on without it. */
export interface Detachable {
  /** Aborted with the request, unless the call goes on without it. */
  readonly signal: AbortSignal
  isDetached(): boolean
  /** Returns what aborts the call from now on. */
  detach(): AbortController
}

export function detachable(outer: AbortSignal): Detachable {
  const controller = new AbortController()
  let detached = false
  // Not the SDK's reason, which is an error of the SDK: those who watch the call are told that it was aborted.
  const follow = (): void => controller.abort(new DOMException('The client gave the request up.', 'AbortError')) // prettier-ignore
  if (outer.aborted) follow()
  outer.addEventListener('abort', follow, { once: true })
  return {
    signal: controller.signal,
    isDetached: () => detached,
    detach() {
      detached = true
      outer.removeEventListener('abort', follow)
      return controller
    },
  }
}
