/**
 * What the validators of all dialects share: reading untyped JSON, and the checks that do not depend
 * on a dialect. A violation is one sentence with the place in front.
 */
export type Fields = { readonly [key: string]: unknown }

/** An object that is no array, else undefined. */
export function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return value as Fields
}

export function parsesAsJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

export function isJsonObjectText(text: unknown): boolean {
  return typeof text === 'string' && parsesAsJson(text) && fieldsOf(JSON.parse(text)) !== undefined
}

/** Every string of the body, keys included, with half a character in it. */
export function illFormedStrings(value: unknown, path = '$'): string[] {
  if (typeof value === 'string')
    return /\p{Surrogate}/u.test(value) ? [`${path}: the string holds a lone surrogate`] : []
  if (Array.isArray(value))
    return value.flatMap((item, index) => illFormedStrings(item, `${path}[${index}]`))
  const fields = fieldsOf(value)
  if (!fields) return []
  return Object.entries(fields).flatMap(([key, item]) => [
    ...illFormedStrings(key, `${path} (a key)`),
    ...illFormedStrings(item, `${path}.${key}`),
  ])
}

/** Whether the calls are answered each exactly once. */
export function unpairedIds(
  calls: readonly unknown[],
  answers: readonly unknown[],
): string | undefined {
  const missing = calls.filter((id) => !answers.includes(id))
  if (missing.length) return `no tool result for ${JSON.stringify(missing)}`
  const stray = answers.filter((id) => !calls.includes(id))
  if (stray.length) return `tool result for ${JSON.stringify(stray)}, which was not called`
  if (answers.length !== new Set(answers).size) return 'more than one tool result for one call'
  return undefined
}

/** The names of the offered tools must be plain, as far as the provider wants it, and different. */
export function toolNameViolations(
  names: readonly unknown[],
  pattern = /^[a-zA-Z0-9_-]{1,64}$/,
): string[] {
  const violations = names
    .filter((name) => typeof name !== 'string' || !pattern.test(name))
    .map((name) => `tools: ${JSON.stringify(name)} is no valid name`)
  if (new Set(names).size !== names.length) violations.push('tools: names must be unique')
  return violations
}
