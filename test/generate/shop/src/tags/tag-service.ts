import { CrudService } from './crud-service.ts'

export interface Tag {
  id: string
  /** As people see it */
  label: string
  expires?: Date
}

export class TagService extends CrudService<Tag> {
  /**
   * Forget the tags that have expired.
   * @tool
   * @param now What time it is
   */
  prune(now: Date): number {
    const old = [...this.items.values()].filter((tag) => tag.expires && tag.expires < now)
    for (const { id } of old) this.items.delete(id)
    return old.length
  }
}
