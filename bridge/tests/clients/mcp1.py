"""Drives the bridge with the official Python client, PyPI mcp 1: INTERPRETER SCRIPT CALLS, a report on stdout."""

import asyncio
import json
import os
import sys
from datetime import timedelta

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main(interpreter, script, calls):
    environment = {name: value for name, value in os.environ.items() if name.startswith("SVC_")}
    server = StdioServerParameters(command=interpreter, args=[script], env=environment)
    async with stdio_client(server) as streams, ClientSession(*streams, timedelta(minutes=5)) as session:
        agreed = await session.initialize()
        tools = await session.list_tools()
        results = [await session.call_tool(call["name"], call["arguments"]) for call in json.loads(calls)]
        return {
            "revision": agreed.protocolVersion,
            "tools": [tool.name for tool in tools.tools],
            "results": [result.model_dump(mode="json", by_alias=True) for result in results],
        }


print(json.dumps(asyncio.run(main(*sys.argv[1:]))))
