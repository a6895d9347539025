import { describe, expect, it } from 'vitest'
import { EXPECTED_FAILURES, runConformance, suiteFolder } from '../../../../scripts/conformance.ts'

const folder = suiteFolder()

describe.skipIf(folder === undefined)(
  'JSON-Schema-Test-Suite, draft 2020-12, required tests',
  () => {
    it('fails only what is known and explained', () => {
      const { total, failures } = runConformance(folder!)
      expect(total).toBeGreaterThan(1_200)
      expect(failures).toEqual(EXPECTED_FAILURES)
    })

    it('would notice an engine that accepts everything', () => {
      expect(runConformance(folder!, () => () => true).failures.length).toBeGreaterThan(400)
    })
  },
)
