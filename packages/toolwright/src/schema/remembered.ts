/** What a map holds for a key, made when it is first asked for. */
export function remembered<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}
