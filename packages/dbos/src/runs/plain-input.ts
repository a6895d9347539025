/** What a durable run is given is kept as JSON, so it must be JSON from the start: nothing is dropped silently. */
import { DurabilityError } from 'toolwright'

/** The JSON text of a value that is nothing but data. */
export function plainText(name: string, value: unknown): string {
  refuseForeign(name, value, [])
  return JSON.stringify(value)
}

function refuseForeign(path: string, value: unknown, around: readonly unknown[]): void {
  if (value === undefined || value === null || ['string', 'boolean'].includes(typeof value)) return
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw notJson(path, String(value))
    return
  }
  if (typeof value !== 'object') throw notJson(path, `a ${typeof value}`)
  if (around.includes(value)) throw notJson(path, 'a part of itself')
  if (around.length > 200) throw notJson(path, 'too deep')
  const inside = [...around, value]
  if (Array.isArray(value))
    return value.forEach((item, index) => refuseForeign(`${path}[${index}]`, item, inside))
  const prototype = Object.getPrototypeOf(value) as object | null
  if (prototype !== null && prototype !== Object.prototype)
    throw notJson(path, `a ${nameOfClass(prototype)}`)
  for (const [key, item] of Object.entries(value)) refuseForeign(`${path}.${key}`, item, inside)
}

function nameOfClass(prototype: object): string {
  const { name } = Object(prototype.constructor) as { readonly name?: unknown }
  return typeof name === 'string' && name !== '' ? name : 'object of a class'
}

const notJson = (path: string, what: string): DurabilityError =>
  new DurabilityError('durable-input', `${path} is ${what}, which is no JSON.${hintOf(path)}`)

const hintOf = (path: string): string =>
  path.startsWith('input.toolContext.')
    ? ' Secrets and connections are looked up by the tools themselves.'
    : ''
