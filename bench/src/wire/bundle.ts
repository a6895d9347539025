/** The server and the workers as plain JavaScript. */
import { compile } from '../compile.ts'
import { CONTENDERS } from './contenders.ts'

export async function bundle(): Promise<{ server: string; worker(name: string): string }> {
  const workers = [...new Set(CONTENDERS.map((contender) => contender.worker))]
  const server = 'wire/mock-server.ts'
  const compiled = await compile([server, ...workers.map(sourceOf)])
  return { server: compiled(server), worker: (name) => compiled(sourceOf(name)) }
}

const sourceOf = (worker: string): string => `wire/workers/${worker}.ts`
