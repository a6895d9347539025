export interface Address {
  street: string
  city: string
  /** Postal code, without the country */
  zip: string
  /** ISO 3166 code of two letters */
  country: Country
}

export type Country = 'DE' | 'FR' | 'GB' | 'US'
