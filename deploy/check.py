"""The part of check.sh that reads files: their structure, names that must agree, and metrics that must exist.

`check.py WORK` reads WORK/help (the output of `svc-mcp serve --help`) and writes WORK/health and
WORK/dashboard.rules.yaml.
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


files = sorted(path for path in DEPLOY.rglob("*") if path.is_file())
for path in files:
    if path.suffix == ".yaml":
        check(documents(path), f"{path} is empty")
    check("\t" not in path.read_text() or path.suffix not in (".yaml", ".cfg"), f"{path} has tabs")
done("every YAML file can be read")

# Every setting that is mentioned must exist.
known = set(re.findall(r"\bSVC_[A-Z_]+[A-Z]\b", (WORK / "help").read_text()))
check(len(known) > 15, "cannot read the settings from --help")
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
done("the Containerfile")

# Compose: two instances with the same settings, behind the balancer of haproxy.cfg.
compose = documents(DEPLOY / "compose.yaml")[0]
example = dict(
    line.split("=", 1) for line in (DEPLOY / "compose.env.example").read_text().splitlines() if line and line[0] != "#"
)
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
    check(not is_built or set(service["build"]["args"]) == set(defaults), f"{name}: the base images cannot be replaced")
balancer = compose["services"]["balancer"]["networks"]["inside"]["ipv4_address"]
subnet = ipaddress.ip_network(compose["networks"]["inside"]["ipam"]["config"][0]["subnet"])
check(ipaddress.ip_address(balancer) in subnet, "the balancer's address is not in its network")
for name in instances:
    trusted = compose["services"][name]["environment"]["SVC_TRUSTED_PROXIES"]
    check(trusted == balancer, f"{name} trusts {trusted}, not the balancer {balancer}")
proxy = (DEPLOY / "haproxy.cfg").read_text()
check("option forwardfor" in proxy and "http-request del-header Forwarded" in proxy, "haproxy.cfg must set one header")
password = f":{example['POSTGRES_PASSWORD']}@postgres/{example['POSTGRES_DB']}"
check(password in example["SVC_DATABASE_URL"], "the example's passwords of PostgreSQL differ")
check({"postgres", "redis", "balancer"} <= set(compose["services"]), "PostgreSQL, Redis or the balancer is missing")
done("compose.yaml and its example of secrets")

# Kubernetes: selectors match labels, and references match names.
manifests = {}
for path in sorted((DEPLOY / "kubernetes").glob("*.yaml")):
    for document in documents(path):
        check({"apiVersion", "kind"} <= set(document), f"{path} is not a manifest")
        manifests.setdefault(document["kind"], []).append(document)
for kind in ("Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy", "Secret", "Kustomization"):
    check(len(manifests.get(kind, [])) == 1, f"Kubernetes: there must be exactly one {kind}")
listed = manifests["Kustomization"][0]["resources"]
for name in listed:
    check((DEPLOY / "kubernetes" / name).exists(), f"kustomization.yaml lists {name}, which does not exist")
check("secret.example.yaml" not in listed, "the example secrets would be applied")
deployment = manifests["Deployment"][0]["spec"]
template, pod = deployment["template"], deployment["template"]["spec"]
labels = template["metadata"]["labels"].items()
for selector in (
    deployment["selector"]["matchLabels"],
    manifests["Service"][0]["spec"]["selector"],
    manifests["PodDisruptionBudget"][0]["spec"]["selector"]["matchLabels"],
    manifests["NetworkPolicy"][0]["spec"]["podSelector"]["matchLabels"],
):
    check(selector.items() <= labels, f"{selector} selects nothing")

# What the pods may reach: everything they need, and nothing that the outbound client refuses.
policy = manifests["NetworkPolicy"][0]["spec"]
trusts_pods = any(setting["name"] == "SVC_TRUSTED_PROXIES" for setting in pod["containers"][0]["env"])
check(not trusts_pods or all(rule.get("from") for rule in policy["ingress"]), "every pod could claim any client address")
check(set(policy["policyTypes"]) == {"Ingress", "Egress"}, "the NetworkPolicy does not limit both directions")
reachable = {rule_port["port"] for rule in policy["egress"] for rule_port in rule["ports"]}
check(reachable == {53, 5432, 6379, 465, 587, 80, 443}, f"the NetworkPolicy allows the ports {sorted(reachable)}")
check(all(rule.get("to") for rule in policy["egress"]), "an egress rule allows every address")
blocks = [peer["ipBlock"] for rule in policy["egress"] for peer in rule["to"] if "ipBlock" in peer]


def is_allowed(address):
    address = ipaddress.ip_address(address)
    return any(
        address in ipaddress.ip_network(block["cidr"])
        and not any(address in ipaddress.ip_network(hole) for hole in block["except"])
        for block in blocks
        if ipaddress.ip_network(block["cidr"]).version == address.version
    )


special = pathlib.Path("crates/tools/src/net/special_purpose.rs").read_text()
inside = [re.sub(", ", ".", quad) for quad in re.findall(r"\(Ipv4Addr::new\((\d+, \d+, \d+, \d+)\), \d+,", special)]
inside += [
    str(ipaddress.IPv6Address(sum(int(group, 0) << (112 - 16 * place) for place, group in enumerate(groups.split(", ")))))
    for groups in re.findall(r"\(Ipv6Addr::new\(((?:\w+, ){7}\w+)\), \d+,", special)
]
check(len(inside) > 20, "cannot read the special-purpose addresses from the source")
inside += ["0.0.0.0", "127.0.0.1", "255.255.255.255", "::", "::1", "10.96.0.1", "172.31.255.255", "fd00::1", "64:ff9b::a00:1"]
for address in inside:
    check(not is_allowed(address), f"the NetworkPolicy allows {address}")
for address in ("1.1.1.1", "93.184.215.14", "2606:4700:4700::1111", "2a00:1450::1"):
    check(is_allowed(address), f"the NetworkPolicy blocks {address}")
done("the NetworkPolicy blocks what the outbound client refuses")

container = pod["containers"][0]
ports = {port["name"]: port["containerPort"] for port in container["ports"]}
check(manifests["Service"][0]["spec"]["ports"][0]["targetPort"] in ports, "the Service's port is not the container's")
for probe, path in (("readinessProbe", "/readyz"), ("livenessProbe", "/healthz"), ("startupProbe", "/healthz")):
    check(container[probe]["httpGet"] == {"path": path, "port": "http"}, f"{probe} uses another address")
secret = manifests["Secret"][0]
check(container["envFrom"][0]["secretRef"]["name"] == secret["metadata"]["name"], "the Secret has another name")
environment = {entry["name"]: entry["value"] for entry in container["env"]}
check(all(isinstance(value, str) for value in environment.values()), "a variable is not a string")
for name, port in (("SVC_LISTEN", "http"), ("SVC_METRICS_LISTEN", "metrics")):
    check(environment[name].endswith(f":{ports[port]}"), f"{name} is not the container's port")
grace = 20
check(
    pod["terminationGracePeriodSeconds"] > float(environment["SVC_DRAIN_DELAY"]) + grace,
    "Kubernetes would kill the service while it drains",
)
check(
    float(environment["SVC_DRAIN_DELAY"])
    > container["readinessProbe"]["periodSeconds"] * container["readinessProbe"]["failureThreshold"],
    "the service would close before Kubernetes notices",
)
check(pod["securityContext"]["runAsNonRoot"], "it may run as root")
check(container["securityContext"]["readOnlyRootFilesystem"], "its file system is writable")
done("the Kubernetes manifests are consistent")

for name, value in {**example, **secret["stringData"]}.items():
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
