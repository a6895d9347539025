/** Keeps a file of SQLite from being written to by others, until its input ends: `<file>`. */
import { once } from 'node:events'
import { withLibsql } from '../../packages/cli/src/conversations/with-libsql.ts'

await withLibsql(process.argv[2]!, async (connection) => {
  connection.exec('begin immediate')
  console.log('locked')
  await once(process.stdin.resume(), 'end')
})
