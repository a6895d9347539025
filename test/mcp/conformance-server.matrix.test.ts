/** The official conformance suite of MCP against `serveTools()`, for both revisions, scenario by scenario. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ListeningServer, ServedTools } from '@toolwright/mcp'
import { fixtureServer } from './conformance/fixture-server.ts'
import {
  complaintsOf,
  hasSuite,
  runServerSuite,
  type SuiteRun,
} from './conformance/run-server-suite.ts'
import { REQUIREMENTS } from './conformance/scenarios.ts'

describe.each(REQUIREMENTS)('conformance $revision', ({ revision, scored, unscored }) => {
  let served: ServedTools
  let listening: ListeningServer
  let run: SuiteRun

  beforeAll(async () => {
    if (!hasSuite()) return
    served = fixtureServer()
    listening = await served.listen({ port: 0 })
    run = await runServerSuite(listening.url, revision)
  })

  afterAll(() => served?.close())

  const check = (name: string, test: () => void): void =>
    it(name, ({ skip }) => {
      if (!hasSuite()) return skip('the conformance suite or its Node 22 is not installed')
      test()
    })

  check(`passes ${scored.length} of ${scored.length} server scenarios`, () => {
    const passed = scored.filter((name) => {
      const checks = run.scenarios.get(name) ?? []
      return checks.length > 0 && complaintsOf(checks, ['FAILURE']).length === 0
    })
    expect(passed, run.output).toEqual(scored)
    expect(run.exitCode, run.output).toBe(0)
  })

  check('knows every scenario that ran', () => {
    expect([...run.scenarios.keys()].toSorted()).toEqual([...scored, ...unscored].toSorted())
  })

  for (const name of scored)
    check(name, () => {
      const checks = run.scenarios.get(name) ?? []
      expect(complaintsOf(checks, ['FAILURE', 'WARNING', 'SKIPPED'])).toEqual([])
      expect(checks.filter(({ status }) => status === 'SUCCESS')).not.toEqual([])
    })

  for (const name of unscored)
    check(`${name} (not scored)`, () => {
      expect(run.scenarios.has(name)).toBe(true)
      expect(complaintsOf(run.scenarios.get(name) ?? [], ['FAILURE', 'WARNING'])).toEqual([])
    })
})
