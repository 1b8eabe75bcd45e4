#!/bin/sh
# Makes what the bridge's tests need: two virtual environments, one for each major version of the official Python
# client, and the official Rust client. Idempotent, and quick when all is there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)

# Debian keeps the part of Python that fills a virtual environment in a package of its own.
if ! /usr/bin/python3 -c 'import ensurepip' 2>/dev/null; then
    [ "$(id -u)" = 0 ] || { echo "setup.sh: install python3-venv first" >&2; exit 1; }
    apt-get install -y -qq python3-venv
fi

environment() { # name, requirements
    folder=$repository/.venv/$1
    # The stamp is the requirements that were installed, so a changed file installs again.
    if ! cmp -s "$here/$2" "$folder/requirements.stamp"; then
        [ -x "$folder/bin/python" ] || /usr/bin/python3 -m venv "$folder"
        "$folder/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/$2"
        cp "$here/$2" "$folder/requirements.stamp"
    fi
}
environment test requirements.txt
environment mcp1 requirements-mcp1.txt

CARGO_TARGET_DIR=$repository/target/rmcp_client \
    nice cargo build --quiet --locked --manifest-path "$here/rmcp_client/Cargo.toml"
