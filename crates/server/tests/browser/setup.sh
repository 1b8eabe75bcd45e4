#!/bin/sh
# Makes everything ready that the browser tests need. Safe to run again: what is there is kept.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../../../.." && pwd)
venv="$repository/.venv/test"
node_packages="$repository/target/axe"

install_packages() {
	if [ "$(id -u)" = 0 ]; then
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@"
	else
		sudo apt-get update -qq && sudo DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@"
	fi
}

# Debian's own browser: Playwright brings none, it only drives this one.
[ -x /usr/bin/chromium ] || install_packages chromium
[ -x "$venv/bin/python" ] || /usr/bin/python3 -m venv "$venv" || {
	install_packages python3-venv
	/usr/bin/python3 -m venv "$venv"
}
command -v npm >/dev/null || install_packages npm

"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"

# axe-core finds what keeps people out, typescript reads the page's type annotations. Neither is part of the page.
axe=4.14.0
typescript=7.0.2
if [ "$(cat "$node_packages/versions" 2>/dev/null)" != "$axe $typescript" ]; then
	mkdir -p "$node_packages"
	npm install --prefix "$node_packages" --no-save --no-audit --no-fund --silent "axe-core@$axe" "typescript@$typescript"
	echo "$axe $typescript" >"$node_packages/versions"
fi
