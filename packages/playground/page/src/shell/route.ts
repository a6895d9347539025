/** The places of the page and how they are written behind the `#` of its address. */
export type Route =
  | { readonly view: 'tools'; readonly name?: string }
  | { readonly view: 'chat'; readonly id?: string }
  | { readonly view: 'trace'; readonly id?: string }
  | { readonly view: 'inbox' }

/** What is no place leads to the tools. */
export function parseRoute(hash: string): Route {
  const [view, ...rest] = hash.replace(/^#?\/?/, '').split('/')
  const which = decoded(rest.join('/'))
  if (view === 'chat' || view === 'trace') return which === '' ? { view } : { view, id: which }
  if (view === 'inbox') return { view }
  return view === 'tools' && which !== '' ? { view, name: which } : { view: 'tools' }
}

export function hrefOf(route: Route): string {
  const which = route.view === 'tools' ? route.name : route.view === 'inbox' ? undefined : route.id
  return `#/${route.view}${which === undefined ? '' : `/${encodeURIComponent(which)}`}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
