/**
 * Characters that people do not see and models read: a way to hide instructions in what a stranger says about its tools.
 */

/** Soft hyphen, zero-width, direction marks and overrides, invisible operators, tags, and variation selectors beyond emoji. */
const HIDDEN =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e01ef}]/gu

export const withoutHidden = (text: string): string => text.replace(HIDDEN, '')

export const hasHidden = (text: string): boolean => text.search(HIDDEN) !== -1
