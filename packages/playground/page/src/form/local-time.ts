/** Points in time as a person picks them, in the zone of the browser, and as JSON has them. */

/** For an input of type `datetime-local`; undefined: the text is no point in time. */
export function toLocalTime(text: string): string | undefined {
  const at = new Date(text)
  if (text === '' || Number.isNaN(at.getTime())) return undefined
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19)
}

export function fromLocalTime(local: string): string | undefined {
  const at = new Date(local)
  return local === '' || Number.isNaN(at.getTime())
    ? undefined
    : at.toISOString().replace('.000Z', 'Z')
}
