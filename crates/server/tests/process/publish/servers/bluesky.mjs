// A real Bluesky server (PLC and PDS of @atproto/dev-env) behind a door that can be told, over /control, to let one
// `putRecord` in and not its answer out. GET /log gives the methods that were called.
import http from 'node:http'

import { TestNetworkNoAppView } from '@atproto/dev-env'

const network = await TestNetworkNoAppView.create({})
const agent = network.pds.getAgent()
const account = async (handle) => {
  const made = await agent.createAccount({ email: `${handle}@acme.example`, handle, password: 'its own password' })
  return made.data.did
}
const ada = await account('adalovelace.test')
const acme = await account('acmecoffee.test')
await agent.login({ identifier: 'acmecoffee.test', password: 'its own password' })
const { data } = await agent.com.atproto.server.createAppPassword({ name: 'svc-mcp' })
const about = { acme, ada, handle: 'acmecoffee.test', app_password: data.password }

const log = []
let hold = 0

http
  .createServer(async (request, response) => {
    const json = (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.url === '/about') return json(about)
    if (request.url === '/log') return json(log)
    if (request.url === '/control') {
      hold += 1
      return json({})
    }
    const method = new URL(request.url, 'http://x').pathname.replace('/xrpc/', '')
    const entry = { method, answered: null }
    log.push(entry)
    const headers = { ...request.headers }
    for (const name of ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding']) delete headers[name]
    const body = request.method === 'POST' ? Buffer.concat(chunks) : undefined
    const answer = await fetch(network.pds.url + request.url, { method: request.method, headers, body })
    const answered = Buffer.from(await answer.arrayBuffer())
    if (method === 'com.atproto.repo.putRecord' && hold > 0) {
      hold -= 1
      entry.held = answer.status
      return
    }
    entry.answered = answer.status
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    response.end(answered)
  })
  .listen(Number(process.argv[2]), '127.0.0.1')
