/** Resources, with clients of both protocols. */
import { describe, expect, it } from 'vitest'
import type { ServedResource } from './served-resource.ts'
import { serveTools } from './serve-tools.ts'
import type { ServeToolsOptions } from './serve-tools-options.ts'
import {
  accept,
  add,
  connected,
  listening,
  rpc,
  type RpcAnswer,
  type Running,
} from './serving.cases.ts'

let running: Running

async function serve(
  resources: ServeToolsOptions['resources'],
  options?: Partial<ServeToolsOptions>,
): Promise<string> {
  running = await listening(add, { ...(resources && { resources }), ...options })
  return running.listening.url
}

const today: ServedResource = {
  uri: 'notes://today',
  name: 'today',
  title: 'Today',
  description: 'The note of today',
  mimeType: 'text/plain',
  ttlMs: 5000,
  read: () => 'Nothing happened.',
}

const picture: ServedResource = {
  uri: 'notes://picture',
  name: 'picture',
  mimeType: 'image/png',
  read: () => new Uint8Array([1, 2, 255]),
}

const byDay: ServedResource = {
  uri: 'notes://{year}/{day}',
  name: 'by-day',
  read: (uri, { year, day }) => (day === '99' ? undefined : `${uri}: ${day} of ${year}`),
  complete: { day: (typed, { year }) => [`${typed}1`, `${year}-2`] },
}

const ALL = [today, picture, byDay]

const read = (url: string, uri: string, more: object = {}): Promise<RpcAnswer> =>
  rpc(url, 'resources/read', { uri }, { headers: { 'mcp-name': uri }, ...more })

const failing = (give: ServedResource['read']): ServedResource => ({
  uri: 'x://fails',
  name: 'fails',
  read: give,
})

/** Tells of changes until something is heard: a client hears from when its stream is open, which nothing tells. */
const hearing = (heard: ReadonlySet<string>, changed: readonly string[]): Promise<void> =>
  expect
    .poll(async () => {
      for (const uri of changed) await running.served.resourceChanged(uri)
      return heard.size
    })
    .toBeGreaterThan(0)

describe.each(['modern', 'legacy'] as const)('with a client of the %s protocol', (era) => {
  it('lists, reads and completes', async () => {
    const client = await connected(await serve(ALL), { era })
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['notes://today', 'notes://picture'])
    expect(resources[0]).toMatchObject({
      name: 'today',
      title: 'Today',
      description: 'The note of today',
      mimeType: 'text/plain',
    })
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates).toMatchObject([
      { uriTemplate: 'notes://{year}/{day}', name: 'by-day' },
    ])
    expect((await client.readResource({ uri: 'notes://today' })).contents).toEqual([
      { uri: 'notes://today', mimeType: 'text/plain', text: 'Nothing happened.' },
    ])
    expect((await client.readResource({ uri: 'notes://picture' })).contents).toEqual([
      { uri: 'notes://picture', mimeType: 'image/png', blob: 'AQL/' },
    ])
    expect((await client.readResource({ uri: 'notes://2026/3' })).contents).toEqual([
      { uri: 'notes://2026/3', text: 'notes://2026/3: 3 of 2026' },
    ])
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'notes://{year}/{day}' },
      argument: { name: 'day', value: '1' },
      context: { arguments: { year: '2026' } },
    })
    expect(completion.values).toEqual(['11', '2026-2'])
    await client.close()
  })

  it('asks the user first', async () => {
    const asks = failing((_uri, _variables, { suspend }) => `For ${String(suspend('Whom?'))}`)
    const client = await connected(await serve([asks]), {
      era,
      answer: () => accept({ answer: 'Ada' }),
    })
    const { contents } = await client.readResource({ uri: 'x://fails' })
    expect(contents).toMatchObject([{ text: 'For Ada' }])
    await client.close()
  })

  it('refuses what is not there', async () => {
    const client = await connected(await serve(ALL), { era })
    for (const uri of ['notes://none', 'notes://2026/99', 'notes://2026/1/2', 'other://', '']) {
      const reading = client.readResource({ uri })
      await expect(reading).rejects.toMatchObject({ code: -32602 })
    }
    await client.close()
  })

  it('hears of a resource that it wants to hear of, and of no other', async () => {
    const client = await connected(await serve(ALL), { era })
    const heard = new Set<string>()
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void heard.add(params.uri),
    )
    if (era === 'legacy') await client.subscribeResource({ uri: 'notes://today' })
    else await client.listen({ resourceSubscriptions: ['notes://today'] })
    await hearing(heard, ['notes://picture', 'notes://today'])
    expect([...heard]).toEqual(['notes://today'])
    await client.close()
  })
})

it('is told no more after it has unsubscribed, and never of what is not there', async () => {
  const client = await connected(await serve(ALL), { era: 'legacy' })
  const heard = new Set<string>()
  client.setNotificationHandler(
    'notifications/resources/updated',
    ({ params }) => void heard.add(params.uri),
  )
  for (const uri of ['notes://today', 'notes://picture']) await client.subscribeResource({ uri })
  await client.unsubscribeResource({ uri: 'notes://today' })
  await hearing(heard, ['notes://today', 'notes://picture'])
  expect([...heard]).toEqual(['notes://picture'])
  await expect(client.subscribeResource({ uri: 'notes://none' })).rejects.toMatchObject({
    code: -32602,
  })
  await client.close()
})

it('says how long it may be kept, unless somebody was asked for it', async () => {
  const asks: ServedResource = {
    ...failing((_uri, _variables, { suspend }) => String(suspend('?'))),
    ttlMs: 5000,
  }
  const url = await serve([...ALL, asks])
  expect((await read(url, 'notes://today')).result).toMatchObject({ ttlMs: 5000 })
  expect((await read(url, 'notes://picture')).result).toMatchObject({ ttlMs: 0 })
  const can = { capabilities: { elicitation: {} } }
  const { result } = await read(url, 'x://fails', can)
  const answered = await rpc(
    url,
    'resources/read',
    {
      uri: 'x://fails',
      requestState: result!.requestState,
      inputResponses: { call: accept({ answer: 'secret' }) },
    },
    { ...can, headers: { 'mcp-name': 'x://fails' } },
  )
  expect(answered.result).toMatchObject({ ttlMs: 0, contents: [{ text: 'secret' }] })
})

describe('a resource that fails', () => {
  it('says why, without secrets', async () => {
    const url = await serve([
      failing(() => {
        throw new Error('no disk with key sk-abcdef0123456789abcdef')
      }),
    ])
    const { error } = await read(url, 'x://fails')
    expect(error).toMatchObject({ code: -32603 })
    expect(error!.message).toContain('no disk')
    expect(error!.message).not.toContain('abcdef0123456789')
  })

  it('because it is too large is refused, as text and as bytes', async () => {
    for (const content of ['x'.repeat(10_000_000), new Uint8Array(10_000_000)]) {
      const { error } = await read(await serve([failing(() => content)]), 'x://fails')
      expect(error!.message).toContain('8388608 bytes')
    }
    const url = await serve([failing(() => 'x'.repeat(100_000))])
    const { result } = await read(url, 'x://fails')
    expect((result!.contents as { text: string }[])[0]!.text).toHaveLength(100_000)
  })

  it('because it hangs ends with its time', async () => {
    const url = await serve([failing(() => new Promise(() => {}))], {
      limits: { toolTimeoutMs: 50 },
    })
    expect((await read(url, 'x://fails')).error!.message).toContain('50 ms')
  })

  it('because it gives neither text nor bytes is an error', async () => {
    const url = await serve([failing(() => ({ text: 'x' }) as never)])
    expect((await read(url, 'x://fails')).error).toMatchObject({ code: -32603 })
  })
})

it('addresses that are made to hurt are not found', async () => {
  const hurts: ServedResource = { uri: 'x://{a}/a{b}/a{c}/z', name: 'hurts', read: () => 'read' }
  const client = await connected(await serve([hurts]), { era: 'legacy' })
  for (const uri of [`x://${'/a'.repeat(500_000)}`, 'x://%ff/a1/a2/z', '__proto__', '\u0000']) {
    const refused = await client.readResource({ uri }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: -32602, data: { uri: uri.slice(0, 1000) } })
  }
  const { contents } = await client.readResource({ uri: 'x://1/a2/a3/z' })
  expect(contents).toMatchObject([{ text: 'read' }])
  await client.close()
})

it('what cannot be served is refused when the server is made', () => {
  const options = { name: 'x', version: '1' }
  const made =
    (...resources: ServedResource[]) =>
    () =>
      serveTools([], { ...options, resources })
  expect(made(today, today)).toThrow(/same uri/)
  expect(made({ ...today, uri: 'today' })).toThrow(/scheme/)
  expect(made({ ...today, name: '' })).toThrow(/no name/)
  expect(made({ ...today, uri: 'notes://{a}{b}' })).toThrow(/is broken/)
})

it('a server without resources says that it has none', async () => {
  const url = await serve(undefined)
  expect((await rpc(url, 'resources/list')).error).toMatchObject({ code: -32601 })
  await running.served.resourceChanged('notes://today')
})
