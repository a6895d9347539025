import { describe, expect, it } from 'vitest'
import { hrefOf, parseRoute, type Route } from './route.ts'

describe('routes', () => {
  it.each<Route>([
    { view: 'tools' },
    { view: 'tools', name: 'a/b c%' },
    { view: 'chat', id: '1' },
    { view: 'trace' },
    { view: 'inbox' },
  ])('come back from the address: %j', (route) => {
    expect(parseRoute(hrefOf(route))).toEqual(route)
  })

  it('lead to the tools from anywhere else', () => {
    for (const hash of ['', '#', '#/', '#/nowhere/x'])
      expect(parseRoute(hash)).toEqual({ view: 'tools' })
    expect(parseRoute('#/tools/%E0')).toEqual({ view: 'tools', name: '%E0' })
  })
})
