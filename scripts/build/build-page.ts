/** The page of a package, as the package itself builds it. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

interface PageBuilder {
  buildPage(folder: string): Promise<void>
}

/** `folder` is emptied first. */
export async function buildPage(packageFolder: string, folder: string): Promise<void> {
  const builder = pathToFileURL(join(packageFolder, 'page/build-page.js')).href
  await ((await import(builder)) as PageBuilder).buildPage(folder)
}
