/** `getCurrentWeather` → `get current weather`: the description of a tool that has none. */
export function nameInWords(name: string): string {
  return name
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|[_.\-\s]+/gu, ' ')
    .trim()
    .toLowerCase()
}
