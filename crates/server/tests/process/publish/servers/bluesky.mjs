// A real Bluesky server (PLC and PDS of @atproto/dev-env) behind a proxy.
// POST /account creates an account. POST /control {"hold": DID} forwards the next `putRecord` of this account and holds
// the response back. GET /log returns all forwarded requests.
import http from 'node:http'

import { TestNetworkNoAppView } from '@atproto/dev-env'

const network = await TestNetworkNoAppView.create({})
const password = 'a password of the tests'
const createAccount = async (handle) => {
  const agent = network.pds.getAgent()
  const { data } = await agent.createAccount({ email: `${handle}@acme.example`, handle, password })
  await agent.login({ identifier: handle, password })
  const created = await agent.com.atproto.server.createAppPassword({ name: 'svc-mcp' })
  return { did: data.did, handle, app_password: created.data.password }
}
const ada = (await createAccount('adalovelace.test')).did

const log = []
const held = []
let accounts = 0

http
  .createServer(async (request, response) => {
    const json = (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const sent = Buffer.concat(chunks)
    if (request.url === '/log') return json(log)
    if (request.url === '/account') return json({ ada, ...(await createAccount(`acme${++accounts}.test`)) })
    if (request.url === '/control') {
      held.push(JSON.parse(sent).hold)
      return json({})
    }
    const method = new URL(request.url, 'http://x').pathname.replace('/xrpc/', '')
    const isPut = method === 'com.atproto.repo.putRecord'
    const entry = { method, repo: isPut ? JSON.parse(sent).repo : null, answered: null }
    log.push(entry)
    const headers = { ...request.headers }
    for (const name of ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding']) delete headers[name]
    const body = request.method === 'POST' ? sent : undefined
    const answer = await fetch(network.pds.url + request.url, { method: request.method, headers, body })
    const received = Buffer.from(await answer.arrayBuffer())
    if (isPut && held.includes(entry.repo)) {
      held.splice(held.indexOf(entry.repo), 1)
      entry.held = answer.status
      return
    }
    entry.answered = answer.status
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
    response.end(received)
  })
  .listen(Number(process.argv[2]), '127.0.0.1')
