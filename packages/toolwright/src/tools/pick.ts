/** Copies these keys of an object, where it has an own value for them. */
export const pick = <T extends object, Key extends string>(
  from: T,
  keys: readonly Key[],
): Pick<T, Key & keyof T> =>
  Object.fromEntries(
    Object.entries(from).filter(([key, value]) => value !== undefined && keys.includes(key as Key)),
  ) as Pick<T, Key & keyof T>
