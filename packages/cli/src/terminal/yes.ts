/** What counts as a yes in every question of the command: the letter or the word, and nothing else. */
export const YES = /^y(?:es)?$/i
