/** PostgreSQL keeps neither NUL nor half characters. Other texts stay as they are, but for quotes and backslashes. */
export const storedText = (text: string): string => JSON.stringify(text).slice(1, -1)

export const textOfStored = (stored: string): string => JSON.parse(`"${stored}"`) as string
