/** The same with fields that can be set, for whoever puts it together. */
export type Writable<T> = T extends unknown ? { -readonly [key in keyof T]: T[key] } : never
