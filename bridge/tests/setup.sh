#!/bin/sh
# Installs what the bridge's tests need: a virtual environment for each major version of the official Python client, and
# the official Rust client. `make setup` installs the Debian packages first.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)

"$repository/scripts/venv" test "$here/requirements.txt"
"$repository/scripts/venv" mcp1 "$here/requirements-mcp1.txt"

echo "setup: building the official Rust client"
CARGO_TARGET_DIR=$repository/target/rmcp_client \
    nice cargo build --locked --manifest-path "$here/rmcp_client/Cargo.toml"
