/** Links of Markdown pages that lead to another place of the repository, and those that lead nowhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const FENCE = /^```[\s\S]*?^```/gm
const OTHERS = /^(\..*|node_modules|dist)$/
const LINK = /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g

/** Every page of the repository, relative to the root; those of others are left out. */
export function markdownPages(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return OTHERS.test(entry.name) ? [] : markdownPages(root, path)
    return path.endsWith('.md') ? [path] : []
  })
}

/** `page: link` for each link to a file, a folder or a heading that is not there. Pages relative to the root. */
export function brokenLinks(root: string, pages: readonly string[]): string[] {
  return pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8').replace(FENCE, '')
    return [...text.matchAll(LINK)]
      .filter(([, path = '', heading]) => !leadsSomewhere(join(root, page), path, heading))
      .map(([, path, heading]) => `${page}: ${path}${heading === undefined ? '' : `#${heading}`}`)
  })
}

function leadsSomewhere(page: string, path: string, heading: string | undefined): boolean {
  const target = path === '' ? page : join(dirname(page), path)
  if (!existsSync(target)) return false
  return heading === undefined || anchorsOf(readFileSync(target, 'utf8')).includes(heading)
}

/** As GitHub makes them: lower case, spaces to hyphens, other signs left out. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.replace(FENCE, '').matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
