/** Proxies neither keep nor gather what is to be seen as it comes. */
export const SSE_HEADERS: { readonly [name: string]: string } = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}
