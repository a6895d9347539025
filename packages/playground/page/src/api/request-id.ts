/** A name for a request, so that the same one sent twice starts nothing twice. */
export const requestId = (): string => crypto.randomUUID()
