#!/bin/sh
# Installs what the Rust tests need of Python: a mail server.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
"$here/../../scripts/venv" test "$here/requirements.txt"
