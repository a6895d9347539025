/** What counts as a yes, wherever the command asks: the letter or the word, and nothing that begins with it. */
export const YES = /^y(?:es)?$/i
