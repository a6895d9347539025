/** Which part of a list to give. */
export interface PageRequest {
  /**
   * From 0
   * @minimum 0
   * @default 0
   */
  page?: number
  /**
   * @minimum 1
   * @maximum 100
   */
  size?: number
}

export interface Page<Item> {
  items: Item[]
  total: number
  next: PageRequest | null
}
