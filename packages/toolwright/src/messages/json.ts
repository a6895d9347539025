/** Any value that JSON can hold unchanged. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json }
