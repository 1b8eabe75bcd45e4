"""Drives the bridge with the official Python client, PyPI mcp 2: MODE INTERPRETER SCRIPT CALLS, a report on stdout."""

import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters


async def main(mode, interpreter, script, calls):
    environment = {name: value for name, value in os.environ.items() if name.startswith("SVC_")}
    server = StdioServerParameters(command=interpreter, args=[script], env=environment)
    async with Client(server, mode=mode, read_timeout_seconds=300) as client:
        tools = await client.list_tools()
        results = [await client.call_tool(call["name"], call["arguments"]) for call in json.loads(calls)]
        return {
            "revision": client.protocol_version,
            "tools": [tool.name for tool in tools.tools],
            "results": [result.model_dump(mode="json", by_alias=True) for result in results],
        }


print(json.dumps(asyncio.run(main(*sys.argv[1:]))))
