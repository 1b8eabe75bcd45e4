#!/bin/sh
# Installs what the bridge's tests need: a virtual environment for each major version of the official Python client, the
# official Rust client, and the official tool for MCP Bundles. `make setup` installs the Debian packages first.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
mcpb="$repository/target/mcpb"

"$repository/scripts/venv" test "$here/requirements.txt"
"$repository/scripts/venv" mcp1 "$here/requirements-mcp1.txt"

# The stamp is what was installed, so a changed file installs again.
if ! cmp -s "$here/mcpb/package-lock.json" "$mcpb/stamp"; then
    echo "setup: installing the official tool for MCP Bundles"
    rm -rf "$mcpb"
    mkdir -p "$mcpb"
    cp "$here/mcpb/package.json" "$here/mcpb/package-lock.json" "$mcpb"
    npm ci --prefix "$mcpb" --no-audit --no-fund --loglevel http
    cp "$here/mcpb/package-lock.json" "$mcpb/stamp"
fi

echo "setup: building the official Rust client"
CARGO_TARGET_DIR=$repository/target/rmcp_client \
    nice cargo build --locked --manifest-path "$here/rmcp_client/Cargo.toml"
