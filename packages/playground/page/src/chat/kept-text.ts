/** A text that the browser keeps. One that keeps nothing, as in a private window, is no reason to fail. */

export interface KeptText {
  get(): string
  set(text: string): void
}

/** What is not sent yet, for as long as the tab lives. */
export const draftOf = (conversation: string): KeptText =>
  keptText(() => sessionStorage, `toolwright-draft-${conversation}`)

/** The id of the model that was chosen last. */
export const chosenModel = keptText(() => localStorage, 'toolwright-model')

function keptText(storage: () => Storage, key: string): KeptText {
  return {
    get() {
      try {
        return storage().getItem(key) ?? ''
      } catch {
        return ''
      }
    },
    set(text) {
      try {
        if (text === '') storage().removeItem(key)
        else storage().setItem(key, text)
      } catch {
        // Then it is not kept.
      }
    },
  }
}
