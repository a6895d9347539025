/** Something that is not shown, but may be saved. An address is shown and never opened. */
import type { ShownPart } from '../../../src/protocol/shown-content.ts'
import { Button } from './button.tsx'
import { bytes } from './bytes.ts'
import { Icon } from './icon.tsx'
import { printable } from './printable.ts'
import { saveFile } from './save-file.ts'

export interface SavedMediaProps {
  readonly part: Extract<ShownPart, { readonly type: 'media' }>
}

export function SavedMedia({ part: { mediaType, data, url, name } }: SavedMediaProps) {
  const save = () => {
    const blob = new Blob([bytesOf(data!)], { type: 'application/octet-stream' })
    saveFile(name ?? `file.${mediaType.split('/')[1]?.replace(/\W.*$/, '') || 'bin'}`, blob)
  }
  return (
    <div class="row saved-media">
      <code>{printable(mediaType)}</code>
      {name === undefined ? null : <span>{printable(name)}</span>}
      {url === undefined ? null : <span class="address mono">{printable(url)}</span>}
      {data === undefined ? null : (
        <>
          <span class="quiet">{bytes(Math.floor((data.length * 3) / 4))}</span>
          <Button small onClick={save}>
            <Icon name="save" />
            Save
          </Button>
        </>
      )}
    </div>
  )
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
