import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../errors/errors.ts'
import { type WireDefaults, type WireOptions, wireSettings } from './wire-settings.ts'

const VARIABLE = 'TOOLWRIGHT_TEST_KEY'
const defaults: WireDefaults = {
  provider: 'acme',
  factory: 'acme',
  baseUrl: 'https://acme.test/v1',
  apiKeyVariable: VARIABLE,
  authHeaders: (key) => ({ 'x-api-key': key }),
}
const make = (options?: WireOptions): ReturnType<typeof wireSettings> =>
  wireSettings(defaults, 'm', options)

afterEach(() => {
  delete process.env[VARIABLE]
})

function failure(run: () => unknown): ConfigurationError {
  try {
    run()
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ConfigurationError)
    return thrown as ConfigurationError
  }
  throw new Error('nothing was thrown')
}

describe('wireSettings', () => {
  it('takes the key from the option, else from the environment', () => {
    process.env[VARIABLE] = 'from-environment'
    expect(make().headers()['x-api-key']).toBe('from-environment')
    expect(make({ apiKey: 'from-option\n' }).headers()['x-api-key']).toBe('from-option')
  })

  it('names the environment variable when there is no key', () => {
    const error = failure(() => make({ apiKey: ' ' }))
    expect(error.code).toBe('missing-api-key')
    expect(error.message).toContain(VARIABLE)
    const free = wireSettings({ ...defaults, apiKeyOptional: true }, 'm')
    expect(free.headers()).toEqual({ 'content-type': 'application/json' })
  })

  it('shows the key to nobody who prints it', () => {
    const settings = make({ apiKey: 'very-secret-key' })
    const printed = `${inspect(settings, { depth: 9, showHidden: true })}${JSON.stringify(settings)}`
    expect(printed).not.toContain('very-secret-key')
    expect(settings.redact('key very-secret-key!')).toBe('key [redacted]!')
  })

  it('names an unknown option and the nearest known one', () => {
    const error = failure(() => make({ apiKey: 'k', baseURL: 'x' } as WireOptions))
    expect(error.code).toBe('unknown-option')
    expect(error.message).toMatch(/"baseURL".*Did you mean "baseUrl"/)
  })

  it.each(['acme.test/v1', '/v1', 'ftp://acme.test', 'http://', ''])(
    'refuses the base URL "%s"',
    (baseUrl) => {
      expect(failure(() => make({ apiKey: 'k', baseUrl })).code).toBe('invalid-base-url')
    },
  )

  it('trims slashes at the end of the base URL', () => {
    expect(make({ apiKey: 'k', baseUrl: 'http://localhost:1/v1//' }).baseUrl).toBe(
      'http://localhost:1/v1',
    )
  })

  it.each<WireOptions>([
    { headers: { 'x y': 'a' } },
    { headers: { x: 'a\r\nb: c' } },
    { idleTimeoutMs: 0 },
    { idleTimeoutMs: Number.NaN },
  ])('refuses %j', (options) => {
    expect(failure(() => make({ apiKey: 'k', ...options })).code).toBe('invalid-option')
  })

  it('refuses a model without a name', () => {
    expect(failure(() => wireSettings(defaults, '', { apiKey: 'k' })).code).toBe('invalid-option')
  })
})
