/** Where a field is: keys and numbers, from the outermost. */
export type Path = readonly (string | number)[]

/** For people: `address.lines[2]`. */
export const pathText = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? step : `${text}.${step}`
  }, '')

/** An id of an element. Different paths have different ones, whatever their keys are. */
export const pathId = (prefix: string, path: Path): string =>
  [prefix, ...path]
    .map((step) => String(step).replace(/[^a-z0-9]/gi, (other) => `_${other.charCodeAt(0)}_`))
    .join('-')

/** The id of what belongs to an element. No path has a colon in its id, so no key can be taken for a part. */
export const partId = (id: string, part: string): string => `${id}:${part}`

export const startsWith = (path: Path, start: Path): boolean =>
  start.length <= path.length && start.every((step, index) => String(step) === String(path[index]))
