#!/bin/sh
# Installs what the browser tests need. `make setup` installs Chromium and npm first: Playwright drives Debian's browser.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../../../.." && pwd)
node_packages="$repository/target/axe"

"$repository/scripts/venv" test "$here/requirements.txt"

# axe-core checks accessibility, typescript checks the page's type annotations. Neither is part of the page.
axe=4.14.0
typescript=7.0.2
if [ "$(cat "$node_packages/versions" 2>/dev/null)" != "$axe $typescript" ]; then
	echo "setup: installing axe-core $axe and typescript $typescript"
	mkdir -p "$node_packages"
	npm install --prefix "$node_packages" --no-save --no-audit --no-fund --loglevel http "axe-core@$axe" "typescript@$typescript"
	echo "$axe $typescript" >"$node_packages/versions"
fi
