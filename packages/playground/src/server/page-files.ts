/** The files of the page: three, by their names, read once. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface PageFile {
  readonly type: string
  readonly content: Uint8Array
}

export interface PageFiles {
  /** Nothing if the page has no such file. */
  read(path: string): Promise<PageFile | undefined>
}

const FILES = new Map([
  ['/', { name: 'index.html', type: 'text/html; charset=utf-8' }],
  ['/page.js', { name: 'page.js', type: 'text/javascript; charset=utf-8' }],
  ['/page.css', { name: 'page.css', type: 'text/css; charset=utf-8' }],
])

export function pageFiles(folderOf: () => Promise<string> = pageFolder): PageFiles {
  let folder: Promise<string> | undefined
  const read = new Map<string, Promise<PageFile>>()
  return {
    async read(path) {
      const file = FILES.get(path)
      if (!file) return undefined
      folder ??= folderOf()
      const from = await folder
      const there = read.get(path) ?? contentOf(join(from, file.name), file.type)
      read.set(path, there)
      return there
    },
  }
}

const contentOf = async (path: string, type: string): Promise<PageFile> => ({
  type,
  content: await readFile(path),
})

/** Beside the built code; in a checkout the page is built when it is first asked for. */
async function pageFolder(): Promise<string> {
  const built = fileURLToPath(new URL('./page/', import.meta.url))
  if (existsSync(join(built, 'index.html'))) return built
  // By a computed address, so that bundlers leave it alone.
  const builder = new URL('../../page/build-page.js', import.meta.url).href
  const { builtPage } = (await import(/* @vite-ignore */ builder)) as {
    readonly builtPage: () => Promise<string>
  }
  return builtPage()
}

/** For whoever comes without the token. It loads nothing and says nothing about what is here. */
export const LOCKED_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>toolwright playground</title>
<p>This address has no token, or that of an earlier start.</p>
<p>Open the address that the playground printed when it started.</p>
</html>
`
