/** The resources that the conformance suite reads. */
import type { ServedResource } from '@toolwright/mcp'
import { RED_PIXEL } from './fixture-content.ts'

export const fixtureResources: readonly ServedResource[] = [
  {
    uri: 'test://static-text',
    name: 'static-text',
    description: 'A text that never changes',
    mimeType: 'text/plain',
    ttlMs: 60_000,
    read: () => 'This is the content of the static text resource.',
  },
  {
    uri: 'test://static-binary',
    name: 'static-binary',
    description: 'A picture that never changes',
    mimeType: 'image/png',
    read: () => Buffer.from(RED_PIXEL, 'base64'),
  },
  {
    uri: 'test://watched-resource',
    name: 'watched-resource',
    description: 'A text that may change',
    mimeType: 'text/plain',
    read: () => 'As it is now',
  },
  {
    uri: 'test://template/{id}/data',
    name: 'template',
    description: 'A text for every id',
    mimeType: 'application/json',
    read: (_uri, { id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  },
]
