/** A text with Markdown in it. It comes from a model: no link can be clicked, no picture is loaded, no heading is one of ours. */
import { memo } from './memo.ts'
import { CopyButton } from './copy-button.tsx'
import { type Block, parseMarkdown } from './markdown.ts'
import type { Inline } from './markdown-inline.ts'
import { printable } from './printable.ts'

export interface ProseProps {
  readonly text: string
}

export const Prose = memo(function Prose({ text }: ProseProps) {
  return (
    <div class="prose">
      <Blocks blocks={parseMarkdown(printable(text))} />
    </div>
  )
})

function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return <>{blocks.map((block, index) => renderBlock(block, index))}</>
}

function renderBlock(block: Block, key: number) {
  switch (block.type) {
    case 'paragraph':
      return <p key={key}>{renderInline(block.children)}</p>
    case 'heading':
      return (
        <p key={key} class={`prose-heading prose-heading-${Math.min(block.level, 4)}`}>
          {renderInline(block.children)}
        </p>
      )
    case 'code':
      return <CodeBlock key={key} text={block.text} language={block.language} />
    case 'list':
      return <List key={key} list={block} />
    case 'quote':
      return (
        <blockquote key={key}>
          <Blocks blocks={block.children} />
        </blockquote>
      )
    case 'table':
      return <Table key={key} table={block} />
    case 'rule':
      return <hr key={key} />
  }
}

function CodeBlock({ text, language }: { readonly text: string; readonly language: string }) {
  return (
    <div class="code-block">
      <div class="code-head">
        <span class="quiet">{language}</span>
        <CopyButton text={text} label="Copy code" />
      </div>
      <pre tabIndex={0} role="region" aria-label={language ? `Code: ${language}` : 'Code'}>
        <code>{text}</code>
      </pre>
    </div>
  )
}

function List({ list }: { readonly list: Extract<Block, { readonly type: 'list' }> }) {
  const items = list.items.map((blocks, index) => (
    <li key={index}>
      <Blocks blocks={blocks} />
    </li>
  ))
  return list.start === undefined ? <ul>{items}</ul> : <ol start={list.start}>{items}</ol>
}

function Table({ table }: { readonly table: Extract<Block, { readonly type: 'table' }> }) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {table.head.map((cell, index) => (
              <th key={index} scope="col">
                {renderInline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{renderInline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const renderInline = (children: readonly Inline[]) =>
  children.map((child, key) => {
    switch (child.type) {
      case 'text':
        return child.text
      case 'code':
        return <code key={key}>{child.text}</code>
      case 'strong':
        return <strong key={key}>{renderInline(child.children)}</strong>
      case 'emphasis':
        return <em key={key}>{renderInline(child.children)}</em>
      case 'address':
        return (
          <span key={key}>
            {child.text === child.address ? '' : `${child.text} `}
            <span class="address">{`<${child.address}>`}</span>
          </span>
        )
    }
  })
