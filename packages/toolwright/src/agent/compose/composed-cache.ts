/** Remembers what was made of a sequence of objects, as long as the objects live. */
interface Node<Value> {
  readonly objects: WeakMap<object, Node<Value>>
  readonly words: Map<string, Node<Value>>
  readonly values: Map<string, Value>
}

/** Settings differ little; more than this many of them for one sequence means that they never repeat. */
const MOST_VALUES = 32

export class ComposedCache<Value> {
  readonly #root: Node<Value> = newNode()

  get(sequence: readonly (object | string)[], settings: string, make: () => Value): Value {
    let node = this.#root
    for (const key of sequence) node = childOf(node, key)
    const known = node.values.get(settings)
    if (known !== undefined) return known
    const value = make()
    if (node.values.size >= MOST_VALUES) node.values.clear()
    node.values.set(settings, value)
    return value
  }
}

function childOf<Value>(node: Node<Value>, key: object | string): Node<Value> {
  const known = typeof key === 'string' ? node.words.get(key) : node.objects.get(key)
  if (known) return known
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
