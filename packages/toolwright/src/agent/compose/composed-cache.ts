/** Caches a value per sequence of objects, for as long as the objects live. */
interface Node<Value> {
  readonly objects: WeakMap<object, Node<Value>>
  readonly words: Map<string, Node<Value>>
  readonly values: Map<string, Value>
}

/** More settings than this for one sequence mean that they never repeat, so the cache is cleared. */
const MOST_VALUES = 32

export class ComposedCache<Value> {
  readonly #root: Node<Value> = newNode()

  get(sequence: readonly (object | string)[], settings: string, make: () => Value): Value {
    let node = this.#root
    for (const key of sequence) node = childOf(node, key)
    const cached = node.values.get(settings)
    if (cached !== undefined) return cached
    const value = make()
    if (node.values.size >= MOST_VALUES) node.values.clear()
    node.values.set(settings, value)
    return value
  }
}

function childOf<Value>(node: Node<Value>, key: object | string): Node<Value> {
  const cached = typeof key === 'string' ? node.words.get(key) : node.objects.get(key)
  if (cached) return cached
  const child = newNode<Value>()
  if (typeof key === 'string') node.words.set(key, child)
  else node.objects.set(key, child)
  return child
}

const newNode = <Value>(): Node<Value> => ({
  objects: new WeakMap(),
  words: new Map(),
  values: new Map(),
})
