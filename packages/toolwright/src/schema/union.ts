/** `anyOf` and `oneOf`: checks and coerces alternatives, and explains why none fits. */
import { shorten } from './describe-value.ts'
import type { Finding, Keyword, Visit, Walk } from './keyword.ts'

export function union(exactlyOne: boolean): Keyword {
  return (visit, schemas, walk) => {
    if (!Array.isArray(schemas)) return
    if (walk.mode === 'coerce') {
      visit.value = coerced(schemas, visit.value, walk)
      return
    }
    const attempts: Visit[] = []
    let fitting = 0
    for (const schema of schemas) {
      const attempt = walk.visit(schema, visit.value)
      attempts.push(attempt)
      if (!attempt.fits) continue
      walk.adopt(visit, attempt)
      // The other alternatives only matter if they are counted, or for what they evaluate.
      if (++fitting && !exactlyOne && !visit.evaluated) break
    }
    if (fitting === 0) explain(visit, attempts, walk)
    else if (exactlyOne && fitting > 1) {
      walk.fail(visit, () => `a value that fits exactly one of the alternatives, not ${fitting}`)
    }
  }
}

/**
 * Keeps a value that already fits an alternative; otherwise coerces it to the first alternative that it can
 * fit.
 */
function coerced(schemas: readonly unknown[], value: unknown, walk: Walk): unknown {
  if (schemas.some((schema) => walk.test(schema, value).fits)) return value
  for (const schema of schemas) {
    const coercedValue = walk.visit(schema, value).value
    if (walk.test(schema, coercedValue).fits) return coercedValue
  }
  return value
}

/**
 * Reports the issues of the alternative that was probably meant, or names all alternatives if none comes
 * near.
 */
function explain(visit: Visit, attempts: readonly Visit[], walk: Walk): void {
  const isHere = ({ path }: Finding): boolean => path.length === walk.path.length
  const near = attempts.filter(({ issues }) => !issues.some(isHere))
  const [closest] = near.sort((one, other) => one.cost - other.cost)
  if (closest) return walk.adopt(visit, closest)
  const mismatches = attempts.flatMap(({ issues }) => issues.filter(isHere))
  walk.fail(visit, () => {
    const names = new Set(mismatches.map(({ expected }) => expected()))
    return shorten([...names].join(' or '), 400)
  })
}
