"""The part of check.sh that reads files: their structure, names that must agree, and metrics that must exist.

`check.py WORK` reads WORK/help (the output of `svc-mcp serve --help`) and WORK/secrets (new-secrets.sh), and writes WORK/health,
WORK/redis, WORK/redis-health and WORK/dashboard.rules.yaml.
"""

import base64
import ipaddress
import json
import pathlib
import re
import sys

import yaml

WORK = pathlib.Path(sys.argv[1])
DEPLOY = pathlib.Path("deploy")
PAGE = pathlib.Path("docs/operations.md").read_text()
TELEMETRY = pathlib.Path("crates/server/src/telemetry.rs").read_text()


def check(condition, what):
    if not condition:
        sys.exit(f"deploy: {what}")


def done(what):
    print(f"ok: {what}")


def metrics_in(text):
    """Names of metrics, without the suffixes of histograms."""
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in re.findall(r"\bsvc_mcp_[a-z_]*[a-z]\b", text)}


def documents(path):
    return [document for document in yaml.safe_load_all(path.read_text()) if document]


# compose's secrets are the operator's own.
ignored = {DEPLOY / "secrets", DEPLOY / "checks"}
files = sorted(path for path in DEPLOY.rglob("*") if path.is_file() and not ignored & set(path.parents))
for path in files:
    if path.suffix == ".yaml":
        check(documents(path), f"{path} is empty")
    check("\t" not in path.read_text() or path.suffix not in (".yaml", ".cfg"), f"{path} has tabs")
done("every YAML file can be read")

# Every setting that is mentioned must exist.
known = set(re.findall(r"\bSVC_[A-Z_]+[A-Z]\b", (WORK / "help").read_text()))
check(len(known) > 15, "cannot read the settings from --help")
# A secret can also come from a file.
SECRETS = {"SVC_DATABASE_URL", "SVC_REDIS_URL", "SVC_JWT_SECRET", "SVC_REVEAL_KEYS"}
SECRETS |= {"SVC_SMTP_URL", "SVC_EVENTS_SECRET", "SVC_KEYWORD_PROVIDER_TOKEN"}
check(SECRETS <= known, f"{sorted(SECRETS - known)} are not settings")
known |= {f"{name}_FILE" for name in SECRETS}
for path in [*files, pathlib.Path("docs/operations.md")]:
    if path.name.startswith("check."):
        continue
    named = set(re.findall(r"\bSVC_[A-Z_]+[A-Z]\b", path.read_text()))
    check(named <= known, f"{path} mentions settings that do not exist: {sorted(named - known)}")
done("every setting that is mentioned exists")

# The image: the files it copies exist, it does not run as root, and it has a health check.
image = re.sub(r"\\\n\s*", "", (DEPLOY / "Containerfile").read_text())
for sources in re.findall(r"^COPY (?!--from)(.+) \S+$", image, re.M):
    for source in sources.split():
        check(pathlib.Path(source).exists(), f"the Containerfile copies {source}, which does not exist")
sources = [source for line in re.findall(r"^COPY (?!--from)(.+) \S+$", image, re.M) for source in line.split()]
for path in pathlib.Path("crates").glob("*/src/**/*.rs"):
    for included in re.findall(r'include_(?:str|bytes)!\(\s*"([^"]+)"', path.read_text()):
        wanted = (path.parent / included).resolve().relative_to(pathlib.Path.cwd())
        copied = any(wanted.is_relative_to(source) for source in sources)
        check(copied, f"{path} includes {wanted}, which the Containerfile does not copy")
check(re.search(r"^USER [1-9]\d*:[1-9]\d*$", image, re.M), "the image runs as root")
health = re.search(r"^HEALTHCHECK .*CMD (\[.*\])$", image, re.M)
check(health, "the image has no health check")
command = json.loads(health.group(1))
check(command[:2] == ["bash", "-c"], "the health check is not a bash command")
(WORK / "health").write_text(command[2])
version = re.search(r'^rust-version = "(.+)"', pathlib.Path("Cargo.toml").read_text(), re.M).group(1)
check(re.search(rf"^ARG RUST_IMAGE=rust:{re.escape(version)}-", image, re.M), f"the image is not built with Rust {version}")
defaults = dict(re.findall(r"^ARG (\w+_IMAGE)=(\S+:\S+)$", image, re.M))
for base in re.findall(r"^FROM (\S+)", image, re.M):
    check(base.strip("${}") in defaults, f"the base image {base} cannot be replaced by an argument")
for name in defaults:
    check(image.index(f"ARG {name}=") < image.index("FROM "), f"ARG {name} must come before the first FROM")
workspace = dict(re.findall(r'^(version|license) = "(.+)"', pathlib.Path("Cargo.toml").read_text(), re.M))
labels = dict(re.findall(r'org\.opencontainers\.image\.([\w.]+)="([^"]*)"', image))
expected = {"title", "description", "licenses", "version", "revision", "base.name"}
check(expected == set(labels), f"the image has the labels {sorted(labels)}")
check(labels["licenses"] == workspace["license"], f"the image names the licence {labels['licenses']}")
check(f"ARG VERSION={workspace['version']}\n" in image, f"the image is not version {workspace['version']}")
last = image[image.rindex("FROM "):]
for argument in re.findall(r"\$\{(\w+)\}", last[last.index("LABEL"):]):
    check(re.search(rf"^ARG {argument}\b", last, re.M), f"{argument} is empty in the last stage: it needs an ARG there")
done("the Containerfile and its labels")

# Compose: two instances with the same settings, behind the balancer of haproxy.cfg.
compose = documents(DEPLOY / "compose.yaml")[0]
instances = [name for name in compose["services"] if name.startswith("svc-mcp")]
check(len(instances) >= 2, "fewer than two instances")
balanced = re.findall(r"^\s+server \S+ ([a-z-]+):8080$", (DEPLOY / "haproxy.cfg").read_text(), re.M)
check(sorted(balanced) == sorted(instances), f"haproxy.cfg sends to {balanced}, compose.yaml has {instances}")
for name in instances:
    service = compose["services"][name]
    check(service["read_only"] and service["cap_drop"] == ["ALL"], f"{name} has too many privileges")
for name, service in compose["services"].items():
    for needed in service.get("depends_on", []):
        check(needed in compose["services"], f"{name} depends on {needed}, which does not exist")
for name, service in compose["services"].items():
    is_built = "build" in service
    check(is_built or re.fullmatch(r"\$\{[A-Z]+_IMAGE:-[a-z]+:[\w.-]+\}", service["image"]), f"{name}: the image cannot be replaced")
    check(not is_built or set(service["build"]["args"]) >= set(defaults), f"{name}: the base images cannot be replaced")
balancer = compose["services"]["balancer"]["networks"]["front"]["ipv4_address"]
subnet = ipaddress.ip_network(compose["networks"]["front"]["ipam"]["config"][0]["subnet"])
check(ipaddress.ip_address(balancer) in subnet, "the balancer's address is not in its network")
for name in instances:
    trusted = compose["services"][name]["environment"]["SVC_TRUSTED_PROXIES"]
    check(trusted == balancer, f"{name} trusts {trusted}, not the balancer {balancer}")
proxy = (DEPLOY / "haproxy.cfg").read_text()
check("option forwardfor" in proxy and "http-request del-header Forwarded" in proxy, "haproxy.cfg must set one header")
check({"postgres", "redis", "balancer"} <= set(compose["services"]), "PostgreSQL, Redis or the balancer is missing")
# Each container has its own secrets, as files, and no other container sees them.
seen = {name: set(service.get("secrets", [])) for name, service in compose["services"].items()}
check(set().union(*seen.values()) == set(compose["secrets"]), "compose.yaml defines secrets that nobody uses, or the reverse")
check(not seen["balancer"], "the balancer sees secrets")
for one, other in (("postgres", "redis"), ("postgres", "svc-mcp-a"), ("redis", "svc-mcp-a")):
    check(seen[one] and not seen[one] & seen[other], f"{one} and {other} share secrets")
generated = {path.name: path.read_text() for path in (WORK / "secrets").iterdir()}
for name, secret_file in compose["secrets"].items():
    check(secret_file["file"] == f"./secrets/{name}", f"the secret {name} is in {secret_file['file']}")
check(set(generated) == set(compose["secrets"]), f"new-secrets.sh generates {sorted(generated)}")
for name, service in compose["services"].items():
    check("env_file" not in service, f"{name} has an environment of others")
    for setting, value in service.get("environment", {}).items():
        is_secret = setting in SECRETS or setting in ("POSTGRES_PASSWORD", "REDISCLI_AUTH")
        check(not is_secret, f"{name}: {setting} would be in the definition of the container")
        if setting.endswith("_FILE"):
            check(value.removeprefix("/run/secrets/") in seen[name], f"{name}: {setting} names {value}, which it does not see")
check(set(compose["services"]["balancer"]["networks"]) == {"front"}, "the balancer reaches the databases")
for name in ("postgres", "redis"):
    check(compose["services"][name]["networks"] == ["back"] and compose["networks"]["back"]["internal"], f"{name} is not inside")
password, database = generated["postgres_password"], compose["services"]["postgres"]["environment"]
expected = f"postgres://{database['POSTGRES_USER']}:{password}@postgres/{database['POSTGRES_DB']}"
check(generated["database_url"] == expected, "the generated passwords of PostgreSQL differ")
password = generated["redis_conf"].removeprefix("requirepass ").strip()
check(generated["redis_url"] == f"redis://default:{password}@redis/0", "the generated passwords of Redis differ")
sealing_key = base64.b64decode(generated["reveal_keys"].split(":", 1)[1], validate=True)
check(len(sealing_key) == 32, "the generated sealing key is too short")
check(len(generated["jwt_secret"]) >= 32, "the generated JWT secret is too short")
redis = compose["services"]["redis"]
(WORK / "redis").write_text("\n".join(redis["command"]))
(WORK / "redis-health").write_text(redis["healthcheck"]["test"][1].replace("$$", "$"))
done("compose.yaml: every container has only its own secrets")

# checks/kubernetes.py has the rest of Kubernetes.
secret = documents(DEPLOY / "kubernetes/base/secret.example.yaml")[0]
for name, value in secret["stringData"].items():
    if name == "SVC_REVEAL_KEYS":
        check(len(base64.b64decode(value.split(":", 1)[1], validate=True)) == 32, "an example's sealing key is too short")
    if name == "SVC_JWT_SECRET":
        check(len(value) >= 32, "an example's JWT secret is too short")
    if "PASSWORD" in name or "SECRET" in name:
        check("example" in value, f"{name} does not look like an example")
done("the example secrets")

# Metrics: the same in the code, on the dashboard and in docs/operations.md.
counted = metrics_in(TELEMETRY)
sources = [path for path in pathlib.Path("crates").glob("*/src/**/*.rs") if path.name != "telemetry.rs"]
recorded = {name for path in sources for name in re.findall(r'\b(?:counter|gauge|histogram)!\(\s*"(svc_mcp_\w+)"', path.read_text())}
recorded |= set(re.findall(r'const \w+: &str = "(svc_mcp_\w+)"', TELEMETRY))  # an unused constant does not compile
check(recorded == counted, f"telemetry.rs and the code differ in {sorted(recorded ^ counted)}")
dashboard = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
for where, text in (
    ("the dashboard", json.dumps(dashboard)),
    ("alerts.yaml", (DEPLOY / "alerts.yaml").read_text()),
    ("alerts.test.yaml", (DEPLOY / "alerts.test.yaml").read_text()),
):
    check(metrics_in(text) <= counted, f"{where} has metrics that do not exist: {sorted(metrics_in(text) - counted)}")
shown = metrics_in(json.dumps(dashboard))
check(shown == counted, f"the dashboard does not show {sorted(counted - shown)}")
explained = set(re.findall(r"^\| `(svc_mcp_[a-z_]+)` \|", PAGE, re.M))
check(explained == counted, f"docs/operations.md and telemetry.rs differ in {sorted(explained ^ counted)}")
done("every metric is in the code, on the dashboard and explained")

# promtool parses the queries of the dashboard as recording rules.
queries = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
check(len(queries) > 10, "the dashboard has too few queries")
rules = [
    {"record": f"dashboard:{number}", "expr": query.replace("$__rate_interval", "5m").replace("$instance", ".*")}
    for number, query in enumerate(queries)
]
(WORK / "dashboard.rules.yaml").write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
check(len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"]), "panels share an id")

# Alerts: each one is tested and explained, and its link leads there.
alerts = [rule for group in documents(DEPLOY / "alerts.yaml")[0]["groups"] for rule in group["rules"]]
tested = {
    case["alertname"]
    for test in documents(DEPLOY / "alerts.test.yaml")[0]["tests"]
    for case in test["alert_rule_test"]
    if case["exp_alerts"]
}
sections = set(re.findall(r"^### (SvcMcp\w+)$", PAGE, re.M))
names = {alert["alert"] for alert in alerts}
check(names == tested, f"alerts without a test: {sorted(names - tested)}")
check(names == sections, f"docs/operations.md and alerts.yaml differ in {sorted(names ^ sections)}")
for alert in alerts:
    link = f"docs/operations.md#{alert['alert'].lower()}"
    check(alert["annotations"]["runbook"] == link, f"{alert['alert']}: the link leads elsewhere")
done("every alert is tested and explained")
