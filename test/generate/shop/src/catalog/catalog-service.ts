import type { Page, PageRequest } from '../shared/paging.ts'

export const SORTINGS = ['price', 'name', 'newest'] as const
export type Sorting = (typeof SORTINGS)[number]

export interface Product {
  sku: string
  name: string
  price: number
  added: Date
}

/** What to look for. All that is given must fit. */
export interface ProductFilter {
  /** Words of the name */
  text?: string
  price?: { from?: number; to?: number }
  /** Added since then */
  since?: Date
}

const PRODUCTS: Product[] = [
  { sku: 'A1', name: 'Kettle', price: 30, added: new Date('2026-01-01T00:00:00Z') },
  { sku: 'A2', name: 'Tea pot', price: 45, added: new Date('2026-03-01T00:00:00Z') },
  { sku: 'A3', name: 'Tea cup', price: 5, added: new Date('2026-06-01T00:00:00Z') },
]

export class CatalogService {
  /**
   * Search the catalogue.
   * @tool
   * @readOnly
   * @param filter What to look for
   * @param sorting In which order
   * @param page Which part
   * @example { "filter": { "text": "tea" }, "sorting": "price" }
   */
  searchProducts(
    filter: ProductFilter,
    sorting: Sorting = 'name',
    page: Required<PageRequest> = { page: 0, size: 2 },
  ): Page<Product> {
    const { text = '', price, since } = filter
    const found = PRODUCTS.filter(
      (product) =>
        product.name.toLowerCase().includes(text.toLowerCase()) &&
        product.price >= (price?.from ?? 0) &&
        product.price <= (price?.to ?? Infinity) &&
        (since === undefined || product.added.getTime() >= since.getTime()),
    ).sort(BY[sorting])
    const start = page.page * page.size
    const rest = found.length > start + page.size
    return {
      items: found.slice(start, start + page.size),
      total: found.length,
      next: rest ? { page: page.page + 1, size: page.size } : null,
    }
  }
}

const BY: Record<Sorting, (a: Product, b: Product) => number> = {
  price: (a, b) => a.price - b.price,
  name: (a, b) => a.name.localeCompare(b.name),
  newest: (a, b) => b.added.getTime() - a.added.getTime(),
}
