/** A folder and what is in it. */
export interface Folder {
  name: string
  documents: Document[]
  folders: Folder[]
}

export interface Document {
  title: string
  changed: Date
  source?: URL
}

export class DocumentService {
  /**
   * Store a file.
   * @tool
   * @param title What to call it
   * @param content Its bytes
   */
  upload(title: string, content: Uint8Array): string {
    return `${title}: ${content.length} bytes, begins with ${content[0]}`
  }

  /**
   * Fetch a document from the web.
   * @tool
   * @param from Where it is
   */
  fetchFrom(from: URL): { host: string; url: URL } {
    return { host: from.host, url: from }
  }

  /**
   * Store a whole tree of folders.
   * @tool
   * @param root The outermost folder
   */
  importTree(root: Folder): { folders: number; newest: Date | null } {
    const all = everyFolder(root)
    const times = all.flatMap((folder) => folder.documents.map((one) => one.changed.getTime()))
    return { folders: all.length, newest: times.length > 0 ? new Date(Math.max(...times)) : null }
  }

  /**
   * The folders as they are.
   * @tool
   * @readOnly
   */
  tree(): Folder {
    const documents = [
      { title: 'Plan', changed: new Date(0), source: new URL('https://a.example/p') },
    ]
    return { name: 'root', documents, folders: [{ name: 'empty', documents: [], folders: [] }] }
  }
}

const everyFolder = (folder: Folder): Folder[] => [folder, ...folder.folders.flatMap(everyFolder)]
