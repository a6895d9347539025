/**
 * Posts what starts something. Where no answer came, nobody knows whether it was started: the same request is sent again
 * under the same id, which starts nothing twice.
 */
import { toApiError } from './api-error.ts'
import { api } from './api.ts'
import { requestId } from './request-id.ts'

const PAUSES_MS = [300, 1000, 3000]

export async function postOnce<T>(path: string, body: object): Promise<T> {
  const request = { ...body, requestId: requestId() }
  for (const pause of PAUSES_MS) {
    try {
      return await api.post<T>(path, request)
    } catch (thrown) {
      if (toApiError(thrown).code !== 'unreachable') throw thrown
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  return api.post<T>(path, request)
}
