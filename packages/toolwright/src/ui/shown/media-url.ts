/** Where a page finds an image, audio or a file: a file that came along is its own address. */
import type { MediaPart } from '../../messages/message.ts'

export const mediaUrl = ({ url, data, mediaType }: MediaPart): string =>
  data === undefined ? (url ?? '') : `data:${mediaType};base64,${data}`
