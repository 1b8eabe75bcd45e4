#!/bin/sh
# Installs what the tests of traces need: Rotel, a collector of OpenTelemetry.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../../../../.." && pwd)
rotel="$repository/target/rotel"

# The stamp is what was installed, so a changed file installs again.
if ! cmp -s "$here/rotel.txt" "$rotel/stamp"; then
	echo "setup: installing Rotel, a collector of traces"
	rm -rf "$rotel"
	"$repository/.venv/test/bin/python" -m pip install --disable-pip-version-check --progress-bar off \
		--no-deps --require-hashes --target "$rotel" -r "$here/rotel.txt"
	chmod +x "$rotel/rotel/rotel-agent"
	cp "$here/rotel.txt" "$rotel/stamp"
fi
