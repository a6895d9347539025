/** Where a field is: keys and numbers, from the outermost. */
export type Path = readonly (string | number)[]

/** For people: `address.lines[2]`. */
export const pathText = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? step : `${text}.${step}`
  }, '')

/** An id of an element: other characters than these would have to be escaped in places. */
export const pathId = (prefix: string, path: Path): string =>
  [prefix, ...path]
    .map((step) => String(step).replace(/[^\w-]/g, (character) => `_${character.charCodeAt(0)}`))
    .join('-')

export const startsWith = (path: Path, start: Path): boolean =>
  start.length <= path.length && start.every((step, index) => String(step) === String(path[index]))
