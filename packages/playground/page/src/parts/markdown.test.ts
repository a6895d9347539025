import { describe, expect, it } from 'vitest'
import { parseMarkdown } from './markdown.ts'
import { parseInline } from './markdown-inline.ts'

const text = (value: string) => ({ type: 'text', text: value })

describe('parseMarkdown', () => {
  it('reads paragraphs, headings, rules and quotes', () => {
    expect(parseMarkdown('# One\ntext\nmore\n\n---\n> said')).toEqual([
      { type: 'heading', level: 1, children: [text('One')] },
      { type: 'paragraph', children: [text('text\nmore')] },
      { type: 'rule' },
      { type: 'quote', children: [{ type: 'paragraph', children: [text('said')] }] },
    ])
  })

  it('reads code as it is, also where its end has not arrived', () => {
    const code = { type: 'code', language: 'ts', text: 'a <b>\n\n# c' }
    expect(parseMarkdown('```ts\na <b>\n\n# c\n```\n')).toEqual([code])
    expect(parseMarkdown('```ts\na <b>\n\n# c')).toEqual([code])
  })

  it('reads lists inside of lists', () => {
    const [list] = parseMarkdown('3. one\n   - inner\n   - other\n4. two\n\nafter')
    expect(list).toMatchObject({ type: 'list', start: 3 })
    const items = list!.type === 'list' ? list!.items : []
    expect(items).toHaveLength(2)
    expect(items[0]![1]).toMatchObject({ type: 'list', items: [{}, {}] })
  })

  it('reads tables', () => {
    expect(parseMarkdown('| a | b |\n|---|:-:|\n| 1 |')).toEqual([
      { type: 'table', head: [[text('a')], [text('b')]], rows: [[[text('1')], []]] },
    ])
  })

  it('ends with any text, in time', () => {
    const odd = ['*', '`', '[', '](', '_', '> ', '- ', '**a', '|-\n', '\\', '![', '1. ']
    for (const piece of odd) {
      expect(() => parseMarkdown(piece.repeat(20_000))).not.toThrow()
    }
  })

  const many = 60_000
  it.each([
    ['a heading with spaces', `# a${' '.repeat(many)}b`, 'heading'],
    ['a heading of marks', `# ${'#'.repeat(many)}b`, 'heading'],
    ['a fence with a mark behind it', `\`\`\`${' '.repeat(many)}\``, 'paragraph'],
    ['a long fence', `${'`'.repeat(many)}\ncode\n${'`'.repeat(many)}`, 'code'],
    ['delimiters that are none', `|\n-${' '.repeat(many)}x`, 'paragraph'],
    ['an item with a strange end', `- ${' '.repeat(many)}a\u2028`, 'list'],
    ['a table that is too wide', `${'|'.repeat(many)}\n-\n${'|\n'.repeat(many)}`, 'paragraph'],
    ['texts without addresses', `${'[a'.repeat(many)}](b)`, 'paragraph'],
  ])('reads %s', (_name, source, type) => {
    expect(parseMarkdown(source)[0]!.type).toBe(type)
  })

  it('takes closing marks off a heading, and no others', () => {
    const headings = ['# a ##', '# C#', '#', '## ##', '# a\r'].map((line) => parseMarkdown(line)[0])
    expect(headings).toMatchObject([
      { level: 1, children: [text('a')] },
      { level: 1, children: [text('C#')] },
      { level: 1, children: [] },
      { level: 2, children: [] },
      { level: 1, children: [text('a')] },
    ])
  })
})

describe('parseInline', () => {
  it('reads code, bold, italics and what is escaped', () => {
    expect(parseInline('a **b *c*** `d*` \\*e\\*')).toEqual([
      text('a '),
      {
        type: 'strong',
        children: [text('b '), { type: 'emphasis', children: [text('c')] }],
      },
      text(' '),
      { type: 'code', text: 'd*' },
      text(' *e*'),
    ])
  })

  it('shows the addresses of links and pictures', () => {
    expect(parseInline('[x](javascript:1) ![y](http://z "t")')).toEqual([
      { type: 'address', text: 'x', address: 'javascript:1' },
      text(' '),
      { type: 'address', text: 'y', address: 'http://z' },
    ])
  })

  it('leaves names and HTML alone', () => {
    for (const plain of ['snake_case_name', '2 * 3 * 4', '<b>x</b>', '[not a link]']) {
      expect(parseInline(plain)).toEqual([text(plain)])
    }
  })
})
