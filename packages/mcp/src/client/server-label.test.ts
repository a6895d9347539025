/** What a server is called before it has said anything about itself. */
import { expect, it } from 'vitest'
import { labelOf } from './server-label.ts'

it.each([
  ['weather-server --port 1', 'weather-server'],
  ['/opt/bin/weather.exe', 'weather'],
  ['node server.mjs', 'server'],
  ['node --import tsx src/mail.ts --verbose', 'mail'],
  ['node -r dotenv/config dist/mail.js', 'mail'],
  ['npx -y @modelcontextprotocol/server-filesystem .', 'server-filesystem'],
  ['npx -y @modelcontextprotocol/server-filesystem@1.2.3 .', 'server-filesystem'],
  ['npx -y server@latest', 'server'],
  ['pnpm dlx some-server', 'some-server'],
  ['python3.12 -m mcp_server_git', 'mcp_server_git'],
  ['python -u tools/git.py', 'git'],
  ['uv --directory /srv run git.py', 'git'],
  ['uvx mcp-server-git', 'mcp-server-git'],
  ['deno run -A mail.ts', 'mail'],
  ['docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server:1.0', 'github-mcp-server'],
  ['java -jar build/mail.jar', 'mail'],
  ['npx tsx src/mail.ts', 'mail'],
  ['node /opt/server-filesystem/dist/index.js .', 'server-filesystem'],
  ['node dist/index.js', 'index'],
  ['node', 'node'],
])('%s is %s', (line, label) => {
  const [command = '', ...args] = line.split(' ')
  expect(labelOf({ command, args })).toBe(label)
})

it.each([
  ['https://maps.example/mcp', 'maps.example'],
  ['http://127.0.0.1:4810/mcp', '127.0.0.1:4810'],
])('%s is %s', (url, label) => {
  expect(labelOf({ url })).toBe(label)
})
