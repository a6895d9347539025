/**
 * `npm run api` writes docs/api: one report for each door. `npm run api -- --check` writes nothing, and fails
 * with what differs when a report is not what the declarations say.
 */
import { fileURLToPath } from 'node:url'
import { REPORTS, reportsOf, staleReports, writeReports } from './api/reports.ts'
import { DOOR_SOURCES } from './doors/door-sources.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const reports = await reportsOf(root, DOOR_SOURCES)

if (process.argv.includes('--check')) {
  const stale = staleReports(root, reports)
  for (const each of stale) console.error(`${each}\n`)
  if (stale.length > 0)
    console.error(
      'The public API changed. If that is meant, run `npm run api`, look at what it wrote, and tell users in CHANGELOG.md.',
    )
  else console.log(`${reports.size} reports are up to date`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  writeReports(root, reports)
  console.log(`wrote ${reports.size} reports to ${REPORTS}`)
}
