/** What all lists of things can do. */
export abstract class CrudService<Item extends { id: string }> {
  protected readonly items = new Map<string, Item>()

  /**
   * Find one by its id.
   * @tool
   * @readOnly
   * @param id Which one
   */
  find(id: string): Item | null {
    return this.items.get(id) ?? null
  }

  /**
   * Keep one, new or changed.
   * @tool
   * @param item All of it
   */
  save(item: Item): void {
    this.items.set(item.id, item)
  }
}
