"""Calls a tool with the official Python client, PyPI mcp 1: SCRIPT. Prints each progress, then whether the call failed."""

import asyncio
import json
import os
import sys
from datetime import timedelta

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def show(progress, total, message):
    print(json.dumps([progress, total, message]), flush=True)


async def main(script):
    environment = {name: value for name, value in os.environ.items() if name.startswith(("SVC_", "BRIDGE_"))}
    server = StdioServerParameters(command="/usr/bin/python3", args=[script], env=environment)
    async with stdio_client(server) as streams, ClientSession(*streams, timedelta(minutes=5)) as session:
        await session.initialize()
        result = await session.call_tool("look", {}, progress_callback=show)
        print(json.dumps({"isError": result.isError}), flush=True)


asyncio.run(main(*sys.argv[1:]))
