/** What HTTP takes as the value of a header. Runtimes refuse the rest in words that quote the value. */
export const IN_HEADER = /^[\t\x20-\x7e\x80-\xff]*$/
