/** POST by node:http with a keep-alive agent: about the least an exchange can cost. */
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:http'
import type { Answer } from './post.ts'
import { BASE_URL } from './post.ts'

const agent = new Agent({ keepAlive: true })
const { hostname, port, pathname } = new URL(`${BASE_URL}/chat/completions`)

export function postByHttp(body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      authorization: 'Bearer bench',
    }
    const sent = request(
      { agent, hostname, port, path: pathname, method: 'POST', headers },
      (response) => {
        if (response.statusCode === 200)
          return resolve({ json: () => jsonOf(response), chunks: response })
        response.resume()
        reject(new Error(`Status ${response.statusCode}`))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

function jsonOf(response: IncomingMessage): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())))
    response.on('error', reject)
  })
}
