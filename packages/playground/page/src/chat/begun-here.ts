/** Conversations that this page has just begun: it follows their first turn to its end, however soon that was. */
const begun = new Set<string>()

export const noteBegun = (id: string): void => void begun.add(id)

/** Tells it once. */
export const wasBegunHere = (id: string): boolean => begun.delete(id)
