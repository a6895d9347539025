/** Brings a person to the first field that something is wrong with. */
const WRONG = '[aria-invalid="true"], [data-wrong]'

/** Whether there is one. What is hidden does not count. */
export function focusFirstWrong(form: HTMLElement | null): boolean {
  const wrong = [...(form?.querySelectorAll<HTMLElement>(WRONG) ?? [])].find(
    (element) => element.closest('[hidden]') === null,
  )
  // A row of radio buttons takes no focus itself.
  const target = wrong?.matches('[role="radiogroup"]') ? wrong.querySelector('input') : wrong
  target?.focus()
  return target !== undefined && target !== null
}

/** Whether something was typed that cannot be read. The first such field gets the focus. */
export function focusFirstUnreadable(form: HTMLElement | null): boolean {
  const unreadable = [...(form?.querySelectorAll<HTMLElement>('[data-unreadable]') ?? [])].find(
    (element) => element.closest('[hidden]') === null,
  )
  unreadable?.focus()
  return unreadable !== undefined
}
