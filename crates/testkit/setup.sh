#!/bin/sh
# Makes what the Rust tests need of Python: a mail server. Safe to run again, and quick when all is there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "$here/../.." && pwd)/.venv/test

# The stamp is the requirements that were installed, so a changed file installs again.
if ! cmp -s "$here/requirements.txt" "$folder/testkit.stamp"; then
    [ -x "$folder/bin/python" ] || /usr/bin/python3 -m venv "$folder"
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"
    cp "$here/requirements.txt" "$folder/testkit.stamp"
fi
