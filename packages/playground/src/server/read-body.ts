/** Reads what a page posted, and not more of it or longer than it may. */
import type { IncomingMessage } from 'node:http'
import { checkJson, type JsonSchema } from 'toolwright'
import { PageError, readPageBody } from 'toolwright/ui'
import { fieldIssue } from './field-issue.ts'
import { Refusal } from './refusal.ts'

export interface BodyRules {
  readonly maxBytes: number
  /** Types that are taken. */
  readonly types: readonly string[]
  readonly timeoutMs: number
}

/** Strict JSON that fits the schema. */
export async function readJson(
  request: IncomingMessage,
  schema: JsonSchema,
  rules: BodyRules,
): Promise<unknown> {
  const value = await within(request, rules, (pieces) =>
    readPageBody(pieces, { maxBytes: rules.maxBytes }),
  )
  const checked = checkJson(schema, value)
  if (checked.ok) return value
  const issues = checked.issues.map(fieldIssue)
  const [first] = checked.issues
  throw new Refusal(400, 'bad-request', {
    message: `The body does not fit: ${first?.path} ${issues[0]?.message}.`,
    issues,
  })
}

export function readText(request: IncomingMessage, rules: BodyRules): Promise<string> {
  return within(request, rules, async (pieces) => {
    const decoder = new TextDecoder()
    let [text, bytes] = ['', 0]
    for await (const piece of pieces) {
      bytes += piece.byteLength
      if (bytes > rules.maxBytes) throw tooLarge(rules)
      text += decoder.decode(piece, { stream: true })
    }
    return text + decoder.decode()
  })
}

async function within<T>(
  request: IncomingMessage,
  rules: BodyRules,
  read: (pieces: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';')
  if (!rules.types.includes(type.trim().toLowerCase()))
    throw new Refusal(415, 'wrong-type', {
      message: `The body is to be ${rules.types.join(' or ')}. Send that as its content-type.`,
    })
  if (Number(request.headers['content-length'] ?? 0) > rules.maxBytes) throw tooLarge(rules)
  // The answer still has to go out on the connection of a body that is not read to its end.
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
  let stop = (): void => {}
  const late = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(tooSlow(rules)), rules.timeoutMs)
    stop = () => clearTimeout(timer)
  })
  try {
    return await Promise.race([read(pieces), late])
  } catch (thrown) {
    if (PageError.is(thrown) && thrown.code === 'page-too-large') throw tooLarge(rules)
    throw thrown
  } finally {
    stop()
  }
}

const tooLarge = ({ maxBytes }: BodyRules): Refusal =>
  new Refusal(413, 'too-large', {
    message: `The body is larger than ${maxBytes} bytes. Send less.`,
  })

const tooSlow = ({ timeoutMs }: BodyRules): Refusal =>
  new Refusal(408, 'too-slow', {
    message: `The body did not arrive within ${timeoutMs} ms. Send it again.`,
  })
