/** One JSON value per line. The format has no comments and no space to leave out: blank lines are all it allows. */
import type { StreamFormat } from './dialect.ts'

export const jsonLines: StreamFormat = {
  contentType: 'application/x-ndjson',
  textOf({ data }, { newline = '\n', comments = false }) {
    return `${comments ? newline + newline : ''}${data}${newline}`
  },
}
