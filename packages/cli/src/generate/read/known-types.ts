/** The language's own types: those with a JSON form, and alternatives to those without. */
import type { SimpleShape } from '../shape/shape.ts'

export const KNOWN_TYPES: { readonly [name: string]: SimpleShape['kind'] } = {
  Date: 'date',
  URL: 'url',
  Uint8Array: 'bytes',
  Buffer: 'buffer',
  String: 'string',
  Number: 'number',
  Boolean: 'boolean',
  Object: 'any-object',
}

export const COLLECTIONS: { readonly [name: string]: 'set' | 'map' } = {
  Set: 'set',
  ReadonlySet: 'set',
  Map: 'map',
  ReadonlyMap: 'map',
}

const BYTES = 'Take a Uint8Array: it travels as base64.'
const RESOLVED = 'Take the value itself: arguments are complete when the tool is called.'
const LIST = 'Take an array.'

/** What to use instead of types that cannot be sent. */
export const NO_JSON_FORM: { readonly [name: string]: string } = {
  Promise: RESOLVED,
  PromiseLike: RESOLVED,
  RegExp: 'Take the pattern as a string and make the RegExp inside.',
  Function: 'Take what the function would work on, as data.',
  Error: 'Take the message as a string.',
  Symbol: 'Take a string.',
  WeakMap: 'Take a Map.',
  WeakSet: 'Take a Set.',
  WeakRef: 'Take the value itself.',
  ArrayBuffer: BYTES,
  SharedArrayBuffer: BYTES,
  DataView: BYTES,
  Blob: BYTES,
  File: BYTES,
  Int8Array: LIST,
  Uint8ClampedArray: LIST,
  Int16Array: LIST,
  Uint16Array: LIST,
  Int32Array: LIST,
  Uint32Array: LIST,
  Float32Array: LIST,
  Float64Array: LIST,
  BigInt64Array: LIST,
  BigUint64Array: LIST,
  Iterable: LIST,
  Iterator: LIST,
  AsyncIterable: LIST,
  Generator: LIST,
  AsyncGenerator: LIST,
  ReadableStream: BYTES,
  AbortSignal: 'Take a ToolContext parameter and use its signal.',
}
