/** JSON as it goes to the page: half characters, which tools and models may write, become whole ones. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'string' ? inner.toWellFormed() : inner,
  )
