#!/bin/sh
# Installs what the browser tests need. `make setup` installs Chromium and npm first: Playwright drives Debian's browser.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../../../.." && pwd)
node_packages="$repository/target/axe"

"$repository/scripts/venv" test "$here/requirements.txt"

# A real OpenID Connect provider. The stamp is what was installed, so a changed file installs again.
provider="$repository/target/oidc_provider"
stamp=$(sha256sum <"$here/oidc/package-lock.json")
if [ "$(cat "$provider/stamp" 2>/dev/null)" != "$stamp" ]; then
	echo "setup: installing oidc-provider"
	rm -rf "$provider"
	mkdir -p "$provider"
	cp "$here/oidc/package.json" "$here/oidc/package-lock.json" "$provider"
	npm ci --prefix "$provider" --no-audit --no-fund --loglevel http
	echo "$stamp" >"$provider/stamp"
fi

# axe-core checks accessibility, typescript checks the page's type annotations. Neither is part of the page.
axe=4.14.0
typescript=7.0.2
if [ "$(cat "$node_packages/versions" 2>/dev/null)" != "$axe $typescript" ]; then
	echo "setup: installing axe-core $axe and typescript $typescript"
	mkdir -p "$node_packages"
	npm install --prefix "$node_packages" --no-save --no-audit --no-fund --loglevel http "axe-core@$axe" "typescript@$typescript"
	echo "$axe $typescript" >"$node_packages/versions"
fi
