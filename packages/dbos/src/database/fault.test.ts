import { describe, expect, it } from 'vitest'
import { passes, toDatabaseError } from './fault.ts'

const failing = (code: string): Error => Object.assign(new Error('no'), { code })

describe('a fault of the database', () => {
  it.each([
    ['the connection is lost', 'ECONNRESET', 'database-unreachable'],
    ['the name server gives no answer for now', 'EAI_AGAIN', 'database-unreachable'],
    ['the server shuts down', '57P01', 'database-unreachable'],
    ['the disk is full', '53100', 'database-full'],
    ['two statements wait for each other', '40P01', 'database-locked'],
  ])('passes when %s, so that a run waits and is not lost', (_name, code, ours) => {
    expect(passes(failing(code))).toBe(true)
    expect(passes(new AggregateError([failing(code)]))).toBe(true)
    expect(toDatabaseError(failing(code))).toMatchObject({ code: ours, retryable: true })
  })

  it.each([
    ['there is no such host', 'ENOTFOUND', 'database-unreachable'],
    ['the password is wrong', '28P01', 'database-refused'],
    ['a statement is wrong', '42601', 'database-failed'],
  ])('stays when %s', (_name, code, ours) => {
    expect(passes(failing(code))).toBe(false)
    expect(toDatabaseError(failing(code))).toMatchObject({ code: ours, retryable: false })
  })
})
