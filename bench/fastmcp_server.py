"""A FastMCP server with the tools of svc-mcp's list, behind one bearer token.

python fastmcp_server.py PORT LIST TOKEN
"""

import json
import sys
from pathlib import Path

from fastmcp import FastMCP
from fastmcp.server.auth.providers.jwt import StaticTokenVerifier
from fastmcp.tools import Tool

_, port, tools, token = sys.argv
server = FastMCP("bench", auth=StaticTokenVerifier({token: {"client_id": "bench", "scopes": []}}))
for tool in json.loads(Path(tools).read_text())["tools"]:
    server.add_tool(
        Tool(
            name=tool["name"],
            title=tool["title"],
            description=tool["description"],
            parameters=tool["inputSchema"],
            output_schema=tool["outputSchema"],
            annotations=tool["annotations"],
        )
    )
server.run(
    "http",
    show_banner=False,
    host="127.0.0.1",
    port=int(port),
    stateless_http=True,  # like svc-mcp: no session before a request
    json_response=True,
    uvicorn_config={"access_log": False, "log_level": "warning"},
)
