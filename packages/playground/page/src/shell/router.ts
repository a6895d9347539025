/** Where the page is. The address behind the `#` is the only place that keeps it. */
import { useEffect, useState } from 'preact/hooks'
import { hrefOf, parseRoute, type Route } from './route.ts'

export { hrefOf, type Route }

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const read = () => setHash(location.hash)
    read()
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return parseRoute(hash)
}

/** `replace`: the step back does not lead here. */
export function go(route: Route, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (!replace) {
    location.hash = hrefOf(route)
    return
  }
  history.replaceState(null, '', hrefOf(route))
  dispatchEvent(new HashChangeEvent('hashchange'))
}
