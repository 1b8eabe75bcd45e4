"""Calls a tool with the official Python client, PyPI mcp 2: SCRIPT. Prints each progress, then whether the call failed."""

import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters


async def show(progress, total, message):
    print(json.dumps([progress, total, message]), flush=True)


async def main(script):
    environment = {name: value for name, value in os.environ.items() if name.startswith(("SVC_", "BRIDGE_"))}
    server = StdioServerParameters(command="/usr/bin/python3", args=[script], env=environment)
    async with Client(server, mode="auto", read_timeout_seconds=300) as client:
        result = await client.call_tool("look", {}, progress_callback=show)
        print(json.dumps({"isError": bool(result.is_error)}), flush=True)


asyncio.run(main(*sys.argv[1:]))
