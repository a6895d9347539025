/** The PostgreSQL that an example runs on: the one of DATABASE_URL, else one of its own from the binaries of this machine. */
export interface ShopDatabase extends AsyncDisposable {
  readonly url: string
}

/** Undefined where there is none; it says so. */
export async function shopDatabase(): Promise<ShopDatabase | undefined> {
  const url = process.env['DATABASE_URL']
  if (url !== undefined) return { url, [Symbol.asyncDispose]: async () => {} }
  // Only the repository of toolwright has it.
  const { NO_POSTGRES, startPostgres } = await import('../../../test/postgres/postgres-server.ts')
  const [isMissing, why] = NO_POSTGRES
  if (!isMissing) return startPostgres()
  console.log(`skipped: no DATABASE_URL, and ${why}`)
  return undefined
}
