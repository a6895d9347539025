/** Another database of a server. */
import pg from 'pg'

/** `url` is that of the database `postgres`; gives that of the new one. */
export async function createDatabase(url: string, name: string): Promise<string> {
  await query(url, `create database ${name}`)
  return url.replace(/\/postgres$/, `/${name}`)
}

/** One query on a connection of its own. */
export async function query(url: string, text: string): Promise<readonly object[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<object>(text)).rows
  } finally {
    await client.end()
  }
}
