"""The server behind the bridges. It does as little as possible, so that the time of the bridges dominates.

It serves the REST endpoints that the bridge uses and, for other bridges, MCP over streamable HTTP at /mcp, with the same
tools and results. run.py starts it; it prints its port.
"""

import asyncio
import json

TOOL = {
    "name": "look",
    "title": "Look",
    "description": "Returns its arguments after waiting as long as they say.",
    "inputSchema": {"type": "object", "properties": {"wait": {"type": "number"}, "text": {"type": "string"}}},
    "outputSchema": {"type": "object"},
    "annotations": {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False},
}
TOOLS = {"tools": [dict(TOOL, name=f"look{number}" if number else "look") for number in range(14)]}


async def call(params):
    arguments = params.get("arguments") or {}
    await asyncio.sleep(arguments.get("wait", 0))
    return {
        "content": [{"type": "text", "text": json.dumps(arguments)}],
        "structuredContent": arguments,
        "isError": False,
    }


async def rpc(message):
    """The result of an MCP message; None for a notification."""
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "bench", "version": "1"},
        }
    if method == "tools/list":
        return TOOLS
    if method == "tools/call":
        return await call(params)
    return {} if "id" in message else None


async def respond(method, path, body):
    """(status, JSON body or None)"""
    if path.endswith("/mcp/v1/tools"):
        return 200, TOOLS
    if path.endswith("/mcp/v1/tools/call"):
        return 200, await call(json.loads(body))
    if path != "/mcp":
        return 404, {}
    if method != "POST":
        return 405, None
    message = json.loads(body)
    result = await rpc(message)
    if result is None:
        return 202, None
    return 200, {"jsonrpc": "2.0", "id": message["id"], "result": result}


async def serve(reader, writer):
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, path, _ = head[0].split(" ")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
            if "transfer-encoding" in headers:
                body = await read_chunks(reader)
            else:
                body = await reader.readexactly(int(headers.get("content-length", 0)))
            status, content = await respond(method, path, body)
            data = b"" if content is None else json.dumps(content).encode()
            writer.write(
                b"HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                % (status, len(data), data)
            )
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def read_chunks(reader):
    body = b""
    while True:
        size = int(await reader.readuntil(b"\r\n"), 16)
        body += await reader.readexactly(size)
        await reader.readexactly(2)
        if size == 0:
            return body


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
