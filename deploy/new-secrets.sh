#!/usr/bin/env bash
# Generates the secrets of compose.yaml: `deploy/new-secrets.sh deploy/secrets`. It never replaces one: with another password
# PostgreSQL's volume could not be opened any more, and without its reveal key what is sealed is lost.
set -euo pipefail

directory=${1:?"usage: new-secrets.sh DIRECTORY"}
command -v openssl >/dev/null || { echo "new-secrets: openssl is missing" >&2; exit 1; }
if [[ -e $directory ]]; then
    echo "new-secrets: $directory exists, and nothing was changed. docs/operations.md says how to rotate secrets." >&2
    exit 1
fi
umask 077
new=$(mktemp -d "$directory.XXXXXX")
trap 'rm -rf "$new"' EXIT

# Hexadecimal, so that the passwords can stand in a URL.
database=$(openssl rand -hex 24)
redis=$(openssl rand -hex 24)
printf '%s' "$database" >"$new/postgres_password"
printf '%s' "postgres://svc_mcp:$database@postgres/svc_mcp" >"$new/database_url"
printf '%s\n' "requirepass $redis" >"$new/redis_conf"
printf '%s' "redis://default:$redis@redis/0" >"$new/redis_url"
openssl rand -base64 48 | tr -d '\n' >"$new/jwt_secret"
printf '%s' "$(date +%Y):$(openssl rand -base64 32)" >"$new/reveal_keys"
# The users in the containers must read the files. The directory keeps everybody else out.
chmod 444 "$new"/*
mv -T "$new" "$directory"
trap - EXIT
echo "new-secrets: wrote $(ls "$directory" | tr '\n' ' ')to $directory. Keep a copy of reveal_keys apart from your backups."
