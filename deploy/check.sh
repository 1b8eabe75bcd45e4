#!/usr/bin/env bash
# Checks deploy/ as far as possible without a container engine, and that docs/operations.md has the same metrics and alerts.
# SVC_MCP is the binary (target/debug/svc-mcp by default).
set -euo pipefail
cd "$(dirname "$0")/.."
# HAProxy is in /usr/sbin, which is not in every user's path.
PATH=$PATH:/usr/sbin

binary=$(realpath "${SVC_MCP:-target/debug/svc-mcp}")
work=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1

for tool in promtool haproxy caddy kubectl redis-server openssl systemd-analyze curl /usr/bin/python3; do
    command -v "$tool" >/dev/null || { echo "$tool is missing: make setup installs what the tests need"; exit 1; }
done
/usr/bin/python3 -c 'import yaml' || { echo "python3-yaml is missing: make setup installs what the tests need"; exit 1; }

report_ok() { echo "ok: $*"; }

promtool check rules deploy/alerts.yaml >/dev/null
(cd deploy && promtool test rules alerts.test.yaml >/dev/null)
report_ok "alert rules, each with a test"

haproxy -c -q -f deploy/haproxy.cfg 2>/dev/null || haproxy -c -f deploy/haproxy.cfg
report_ok "the HAProxy configuration"

HOME=$work caddy validate --adapter caddyfile --config deploy/Caddyfile >"$work/caddy" 2>&1 || { cat "$work/caddy"; exit 1; }
report_ok "the Caddyfile"
/usr/bin/python3 deploy/checks/proxies.py "$work"
/usr/bin/python3 deploy/checks/kubernetes.py "$work"
/usr/bin/python3 deploy/checks/links.py

cargo tree --locked --offline -p svc-mcp -e normal --target x86_64-unknown-linux-gnu --prefix none |
    /usr/bin/python3 deploy/checks/sbom_test.py "$work"
# Without a compiler for musl, one sentence says so.
mkdir "$work/bin"
ln -s "$(command -v bash)" "$(command -v dirname)" "$work/bin/"
! HOME=$work PATH=$work/bin bash scripts/release-static >"$work/static" 2>&1 || { echo "release-static succeeds without a compiler"; exit 1; }
[[ $(wc -l <"$work/static") == 1 && $(<"$work/static") == *"musl-gcc is missing"* ]] || { cat "$work/static"; exit 1; }
report_ok "release-static says what is missing"

# The unit names a binary that is not installed here.
sed "s|/usr/local/bin/svc-mcp|$binary|" deploy/svc-mcp.service >"$work/svc-mcp.service"
complaints=$(systemd-analyze verify "$work/svc-mcp.service" 2>&1 | grep svc-mcp || true)
[[ -z $complaints ]] || { echo "$complaints"; exit 1; }
systemd-analyze security --offline=yes --threshold=20 "$work/svc-mcp.service" >/dev/null
report_ok "the systemd unit and its restrictions"

# The secrets of compose.yaml: a second run changes nothing.
deploy/new-secrets.sh "$work/secrets" >/dev/null
[[ $(stat -c %a "$work/secrets" "$work/secrets/jwt_secret" | tr '\n' ' ') == "700 444 " ]] || { echo "the secrets have the wrong mode"; exit 1; }
sum=$(cat "$work"/secrets/* | sha256sum)
! deploy/new-secrets.sh "$work/secrets" 2>/dev/null || { echo "new-secrets.sh replaces secrets"; exit 1; }
[[ $sum == "$(cat "$work"/secrets/* | sha256sum)" ]] || { echo "new-secrets.sh changed secrets"; exit 1; }
report_ok "new-secrets.sh"

"$binary" serve --help >"$work/help"
/usr/bin/python3 deploy/check.py "$work" >"$work/checks"
cat "$work/checks"
promtool check rules "$work/dashboard.rules.yaml" >/dev/null
report_ok "every query of the dashboard"

# Redis as compose.yaml starts it: the health check succeeds, and nobody comes in without the password.
mapfile -t redis <"$work/redis"
redis=("${redis[@]//\/run\/secrets/$work\/secrets}")
(cd "$work" && exec "${redis[@]}" --port 0 --unixsocket "$work/redis.sock" >"$work/redis.log") &
server=$!
health=$(sed "s|/run/secrets|$work/secrets|; s|redis-cli|redis-cli -s $work/redis.sock|" "$work/redis-health")
for _ in {1..2400}; do
    ! sh -c "$health" >/dev/null 2>&1 || break
    sleep 0.05
done
sh -c "$health" >/dev/null || { cat "$work/redis.log"; exit 1; }
! redis-cli -e -s "$work/redis.sock" ping >/dev/null 2>&1 || { echo "Redis needs no password"; exit 1; }
kill "$server"
wait "$server" || true
server=
report_ok "Redis with its generated password"

# The commands of the image work without root, with generated secrets, and with only the data directory writable.
install -m 755 "$binary" "$work/svc-mcp"
chmod 755 "$work"
install -d -m 700 "$work/data"
as=()
if ((EUID == 0)); then
    chown 65532:65532 "$work/data"
    as=(setpriv --reuid=65532 --regid=65532 --clear-groups --bounding-set=-all --no-new-privs)
fi
# The image does not have the settings of the person who runs this.
unset "${!SVC_@}"
export SVC_DATA_DIR=$work/data SVC_IDLE_TIMEOUT=75 SVC_DRAIN_DELAY=0 SVC_LOG_FORMAT=json
SVC_JWT_SECRET=$(cat "$work/secrets/jwt_secret") SVC_REVEAL_KEYS=$(cat "$work/secrets/reveal_keys")
export SVC_JWT_SECRET SVC_REVEAL_KEYS SVC_PUBLIC_URL=http://localhost:8080
touch "$work/log"
(cd / && exec "${as[@]}" "$work/svc-mcp" serve --listen 127.0.0.1:0) 2>"$work/log" &
server=$!
for _ in {1..2400}; do # two minutes: the machine may be busy
    port=$(sed -nE 's/.*"listening","address":"127\.0\.0\.1:([0-9]+)".*/\1/p' "$work/log")
    [[ -z $port ]] || break
    sleep 0.05
done
[[ -n $port ]] || { cat "$work/log"; exit 1; }
health=$(sed "s/8080/$port/" "$work/health")
bash -c "$health" || { echo "the image's HEALTHCHECK fails on a healthy service: $health"; exit 1; }
(cd / && "${as[@]}" "$work/svc-mcp" admin reveal-keys rewrap >/dev/null)
token=$(cd / && "${as[@]}" "$work/svc-mcp" token --user root --operator)
curl -fsS -o /dev/null -H "Authorization: Bearer $token" "http://127.0.0.1:$port/api/me"
kill "$server"
wait "$server" || { echo "the service fails on SIGTERM"; exit 1; }
server=
! bash -c "$health" 2>/dev/null || { echo "the image's HEALTHCHECK succeeds without a service"; exit 1; }
report_ok "the image's commands, as another user and with generated secrets"
