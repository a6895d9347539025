/** Command lines to words and back. */
import { describe, expect, it } from 'vitest'
import { showCommandLine, splitCommandLine } from './command-words.ts'

describe('splitCommandLine', () => {
  it.each([
    ['npx -y server .', ['npx', '-y', 'server', '.']],
    ['  a \t b\nc ', ['a', 'b', 'c']],
    [`node 'my server.js' "two words"`, ['node', 'my server.js', 'two words']],
    [`a"b c"'d e'f`, ['ab cd ef']],
    [`a '' ""`, ['a', '', '']],
    [`"say \\"hi\\" \\\\ \\n"`, ['say "hi" \\ \\n']],
    [`'back\\slash'`, ['back\\slash']],
    ['two\\ words \\"', ['two words', '"']],
    ['echo $HOME ~ * | cat > x && rm', 'echo $HOME ~ * | cat > x && rm'.split(' ')],
    ['', []],
  ])('%j', (text, words) => {
    expect(splitCommandLine(text, 'linux')).toEqual(words)
  })

  it.each([
    [`node 'a`, "has a ' that is not closed"],
    [`node "a\\"`, 'has a " that is not closed'],
    ['node \\', 'ends with a backslash'],
  ])('refuses %j', (text, message) => {
    expect(() => splitCommandLine(text, 'linux')).toThrow(message)
  })

  it('leaves the backslashes of Windows alone', () => {
    expect(splitCommandLine('C:\\tools\\a.exe "b c"', 'win32')).toEqual(['C:\\tools\\a.exe', 'b c'])
  })
})

describe('showCommandLine', () => {
  it('leaves plain words, and the variables of .mcp.json', () => {
    expect(showCommandLine(['npx', '-y', '@a/b@1', '${TOKEN}', 'k=v'], 'linux')).toBe(
      'npx -y @a/b@1 ${TOKEN} k=v',
    )
  })

  it.each([
    [['two words']],
    [['', "it's", '"', '\\', '$(x)', '`y`', 'a\nb', 'both \' and " and $x']],
    [['*', '~', '|', ';', '&&', '#']],
  ])('quotes %j so that it is read back', (words) => {
    expect(splitCommandLine(showCommandLine(words, 'linux'), 'linux')).toEqual(words)
  })
})
