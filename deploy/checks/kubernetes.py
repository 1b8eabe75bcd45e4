"""Renders deploy/kubernetes with `kubectl kustomize`, and checks that the manifests fit together.

`kubernetes.py WORK` leaves the rendered manifests in WORK. No cluster is needed, and none is asked.
"""

import ipaddress
import os
import pathlib
import re
import subprocess
import sys

from common import check, documents, done

WORK = pathlib.Path(sys.argv[1])
ROOT = pathlib.Path("deploy/kubernetes")
GRACE = 20  # seconds: the default of SVC_SHUTDOWN_GRACE
REQUIRED_SECRETS = {"SVC_DATABASE_URL", "SVC_REDIS_URL", "SVC_JWT_SECRET", "SVC_REVEAL_KEYS"}
SECRETS = REQUIRED_SECRETS | {"SVC_SMTP_URL", "SVC_EVENTS_SECRET", "SVC_KEYWORD_PROVIDER_TOKEN"}
BASE_KINDS = ["Deployment", "NetworkPolicy", "PodDisruptionBudget", "Service"]


def render(directory):
    """The manifests of a directory, by kind and name."""
    # No HOME and no KUBECONFIG: rendering must not depend on a cluster.
    environment = {"PATH": os.environ["PATH"], "HOME": str(WORK), "KUBECONFIG": os.devnull}
    run = subprocess.run(["kubectl", "kustomize", directory], capture_output=True, text=True, env=environment)
    check(run.returncode == 0, f"{directory} cannot be rendered: {run.stderr}")
    (WORK / f"{directory.name}.yaml").write_text(run.stdout)
    manifests = {}
    for document in documents(run.stdout):
        check({"apiVersion", "kind", "metadata"} <= set(document), f"{directory} renders something that is no manifest")
        name = (document["kind"], document["metadata"]["name"])
        check(name not in manifests, f"{directory} renders {name} twice")
        manifests[name] = document
    check(manifests, f"{directory} renders nothing")
    return manifests


def of_kind(manifests, kind):
    return [document for (found, _), document in manifests.items() if found == kind]


def check_secrets(directory, manifests, text):
    """No value of a secret is in the rendered manifests, only references."""
    check(not of_kind(manifests, "Secret"), f"{directory} renders a Secret")
    example = documents((ROOT / "base/secret.example.yaml").read_text())[0]["stringData"]
    for name, value in example.items():
        check(value not in text, f"{directory} renders the example of {name}")
    check(not re.search(r"\b(postgres|postgresql|rediss?|smtps?)://", text), f"{directory} renders the address of a store")
    for deployment in of_kind(manifests, "Deployment"):
        for container in deployment["spec"]["template"]["spec"]["containers"]:
            check("envFrom" not in container, f"{directory}: everything in a Secret would be in the environment")
            for setting in container["env"]:
                is_reference = "valueFrom" in setting
                check(is_reference == (setting["name"] in SECRETS), f"{directory}: {setting['name']} is in the wrong place")


def check_pods(directory, manifests):
    """The Deployment, and everything that selects its pods."""
    (deployment,) = of_kind(manifests, "Deployment")
    spec, template = deployment["spec"], deployment["spec"]["template"]
    pod, labels = template["spec"], template["metadata"]["labels"].items()
    selectors = [spec["selector"]["matchLabels"]]
    selectors += [service["spec"]["selector"] for service in of_kind(manifests, "Service")]
    selectors += [budget["spec"]["selector"]["matchLabels"] for budget in of_kind(manifests, "PodDisruptionBudget")]
    selectors += [policy["spec"]["podSelector"]["matchLabels"] for policy in of_kind(manifests, "NetworkPolicy")]
    selectors += [spread["labelSelector"]["matchLabels"] for spread in pod["topologySpreadConstraints"]]
    for selector in selectors:
        check(selector and selector.items() <= labels, f"{directory}: {selector} selects nothing")

    (container,) = pod["containers"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    for service in of_kind(manifests, "Service"):
        for port in service["spec"]["ports"]:
            check(port["targetPort"] in ports, f"{directory}: no container has the port {port['targetPort']}")
    public = manifests["Service", "svc-mcp"]["spec"]["ports"]
    check([port["targetPort"] for port in public] == ["http"], f"{directory}: the public Service leads to more than http")
    for probe, path in (("readinessProbe", "/readyz"), ("livenessProbe", "/healthz"), ("startupProbe", "/healthz")):
        check(container[probe]["httpGet"] == {"path": path, "port": "http"}, f"{directory}: {probe} uses another address")

    environment = {entry["name"]: entry["value"] for entry in container["env"] if "value" in entry}
    check(len({entry["name"] for entry in container["env"]}) == len(container["env"]), f"{directory}: a variable is set twice")
    check(all(isinstance(value, str) for value in environment.values()), f"{directory}: a variable is not a string")
    for name, port in (("SVC_LISTEN", "http"), ("SVC_METRICS_LISTEN", "metrics")):
        check(environment[name].endswith(f":{ports[port]}"), f"{directory}: {name} is not the container's port")
    delay, readiness = float(environment["SVC_DRAIN_DELAY"]), container["readinessProbe"]
    check(pod["terminationGracePeriodSeconds"] > delay + GRACE, f"{directory}: Kubernetes would kill the service while it drains")
    noticed = readiness["periodSeconds"] * readiness["failureThreshold"]
    check(delay > noticed, f"{directory}: the service would close before Kubernetes notices")
    check(pod["securityContext"]["runAsNonRoot"], f"{directory}: it may run as root")
    restrictions = container["securityContext"]
    check(restrictions["readOnlyRootFilesystem"], f"{directory}: its file system is writable")
    check(not restrictions["allowPrivilegeEscalation"], f"{directory}: it may get more privileges")
    check(restrictions["capabilities"] == {"drop": ["ALL"]}, f"{directory}: it has capabilities")
    check(pod["automountServiceAccountToken"] is False, f"{directory}: it gets a token of the cluster")
    references = {
        entry["name"]: entry["valueFrom"]["secretKeyRef"] for entry in container["env"] if "valueFrom" in entry
    }
    for name, reference in references.items():
        check((reference["name"], reference["key"]) == ("svc-mcp", name), f"{directory}: {name} refers to {reference}")
    required = {name for name, reference in references.items() if not reference.get("optional")}
    check(required == REQUIRED_SECRETS, f"{directory}: the required secrets are {sorted(required)}")
    return container, environment, ports


def is_allowed(blocks, address):
    address = ipaddress.ip_address(address)
    return any(
        address in ipaddress.ip_network(block["cidr"])
        and not any(address in ipaddress.ip_network(hole) for hole in block["except"])
        for block in blocks
        if ipaddress.ip_network(block["cidr"]).version == address.version
    )


def check_network_policy(manifests, environment):
    """What the pods may reach: everything they need, and nothing that the outbound client refuses."""
    policy = manifests["NetworkPolicy", "svc-mcp"]["spec"]
    trusts_pods = "SVC_TRUSTED_PROXIES" in environment
    check(not trusts_pods or all(rule.get("from") for rule in policy["ingress"]), "every pod could claim any client address")
    check(set(policy["policyTypes"]) == {"Ingress", "Egress"}, "the NetworkPolicy does not limit both directions")
    reachable = {rule_port["port"] for rule in policy["egress"] for rule_port in rule["ports"]}
    check(reachable == {53, 5432, 6379, 465, 587, 80, 443}, f"the NetworkPolicy allows the ports {sorted(reachable)}")
    check(all(rule.get("to") for rule in policy["egress"]), "an egress rule allows every address")
    blocks = [peer["ipBlock"] for rule in policy["egress"] for peer in rule["to"] if "ipBlock" in peer]
    special = pathlib.Path("crates/tools/src/net/special_purpose.rs").read_text()
    inside = [re.sub(", ", ".", quad) for quad in re.findall(r"\(Ipv4Addr::new\((\d+, \d+, \d+, \d+)\), \d+,", special)]
    inside += [
        str(ipaddress.IPv6Address(sum(int(group, 0) << (112 - 16 * place) for place, group in enumerate(groups.split(", ")))))
        for groups in re.findall(r"\(Ipv6Addr::new\(((?:\w+, ){7}\w+)\), \d+,", special)
    ]
    check(len(inside) > 20, "cannot read the special-purpose addresses from the source")
    inside += ["0.0.0.0", "127.0.0.1", "255.255.255.255", "::", "::1", "10.96.0.1", "172.31.255.255", "fd00::1", "64:ff9b::a00:1"]
    for address in inside:
        check(not is_allowed(blocks, address), f"the NetworkPolicy allows {address}")
    for address in ("1.1.1.1", "93.184.215.14", "2606:4700:4700::1111", "2a00:1450::1"):
        check(is_allowed(blocks, address), f"the NetworkPolicy blocks {address}")


def check_ingress(manifests, environment):
    (ingress,) = of_kind(manifests, "Ingress")
    hosts = [rule["host"] for rule in ingress["spec"]["rules"]]
    encrypted = [host for entry in ingress["spec"]["tls"] for host in entry["hosts"]]
    check(hosts == encrypted and all(entry["secretName"] for entry in ingress["spec"]["tls"]), "a host has no certificate")
    check(environment["SVC_PUBLIC_URL"] == f"https://{hosts[0]}", f"SVC_PUBLIC_URL is not the address of {hosts[0]}")
    for rule in ingress["spec"]["rules"]:
        for path in rule["http"]["paths"]:
            target = path["backend"]["service"]
            service = manifests["Service", target["name"]]
            names = [port["name"] for port in service["spec"]["ports"]]
            check(target["port"]["name"] in names, f"the Ingress leads to {target}, which does not exist")
    check(ingress["metadata"]["annotations"]["nginx.ingress.kubernetes.io/force-ssl-redirect"] == "true", "http is not redirected")


def check_monitoring(manifests, ports):
    (monitor,) = of_kind(manifests, "ServiceMonitor")
    selector = monitor["spec"]["selector"]["matchLabels"].items()
    selected = [service for service in of_kind(manifests, "Service") if selector <= service["metadata"]["labels"].items()]
    check(len(selected) == 1, f"the ServiceMonitor selects {len(selected)} Services")
    service = selected[0]
    served = {port["name"]: port["targetPort"] for port in service["spec"]["ports"]}
    for endpoint in monitor["spec"]["endpoints"]:
        check(served.get(endpoint["port"]) == "metrics" and "metrics" in ports, f"no Service has the port {endpoint['port']}")
    jobs = set(re.findall(r'job="([^"]+)"', pathlib.Path("deploy/alerts.yaml").read_text()))
    job = service["metadata"]["labels"][monitor["spec"]["jobLabel"]]
    check(jobs == {job}, f"the alerts select the jobs {sorted(jobs)}, but the job is called {job}")


def check_autoscaling(manifests, container):
    (autoscaler,) = of_kind(manifests, "HorizontalPodAutoscaler")
    (deployment,) = of_kind(manifests, "Deployment")
    target, spec = autoscaler["spec"]["scaleTargetRef"], autoscaler["spec"]
    expected = (deployment["apiVersion"], deployment["kind"], deployment["metadata"]["name"])
    check((target["apiVersion"], target["kind"], target["name"]) == expected, f"the autoscaler scales {target}")
    check(2 <= spec["minReplicas"] < spec["maxReplicas"], "the autoscaler has nothing to choose")
    check("replicas" not in deployment["spec"], "every apply would undo what the autoscaler did")
    for metric in spec["metrics"]:
        check(metric["resource"]["name"] in container["resources"]["requests"], "the autoscaler has nothing to compare with")


def check_external_secret(manifests):
    (external,) = of_kind(manifests, "ExternalSecret")
    check(external["spec"]["target"]["name"] == "svc-mcp", "the ExternalSecret makes another Secret")
    keys = {entry["secretKey"] for entry in external["spec"]["data"]}
    check(REQUIRED_SECRETS <= keys <= SECRETS, f"the ExternalSecret has the keys {sorted(keys)}")


def check_managed_stores(manifests):
    policy = manifests["NetworkPolicy", "svc-mcp-managed-stores"]["spec"]
    check(policy["policyTypes"] == ["Egress"], "the policy for managed stores also changes who may come in")
    for rule in policy["egress"]:
        check({port["port"] for port in rule["ports"]} <= {5432, 6379}, f"{rule} is not for a store")
        for peer in rule["to"]:
            check(ipaddress.ip_network(peer["ipBlock"]["cidr"]).prefixlen >= 24, f"{peer} allows too much")


kustomizations = sorted(path.parent for path in ROOT.rglob("kustomization.yaml"))
for path in ROOT.rglob("*.yaml"):
    listing = (path.parent / "kustomization.yaml").read_text()
    is_listed = path.name in listing or path.name in ("kustomization.yaml", "secret.example.yaml")
    check(is_listed, f"{path.parent}/kustomization.yaml does not list {path.name}")
check("secret.example.yaml\n" not in (ROOT / "base/kustomization.yaml").read_text().split("resources:")[1], "the example secrets would be applied")
rendered = {directory.relative_to(ROOT).as_posix(): render(directory) for directory in kustomizations}
for directory, manifests in rendered.items():
    check_secrets(directory, manifests, (WORK / f"{pathlib.Path(directory).name}.yaml").read_text())
done(f"kubectl renders {', '.join(rendered)}, without a secret")

base, production = rendered["base"], rendered["overlays/production"]
check(sorted(kind for kind, _ in base) == BASE_KINDS, f"the base renders {sorted(base)}")
_, environment, _ = check_pods("base", base)
check_network_policy(base, environment)
check(base["Deployment", "svc-mcp"]["spec"]["replicas"] >= 2, "the base has fewer than two instances")
done("the Kubernetes base: its names fit, and its policy blocks what the outbound client refuses")

missing = {name for manifests in rendered.values() for name in manifests} - set(production)
check(not missing, f"overlays/production lacks {sorted(missing)}")
container, environment, ports = check_pods("overlays/production", production)
check_network_policy(production, environment)
check_ingress(production, environment)
check_monitoring(production, ports)
check_autoscaling(production, container)
check_external_secret(production)
check_managed_stores(production)
namespaces = {document["metadata"].get("namespace") for document in production.values()}
check(len(namespaces) == 1 and None not in namespaces, f"overlays/production is spread over {namespaces}")
images = re.findall(r"\bimage: (\S+)", (WORK / "production.yaml").read_text())
check(images and all("/" in image for image in images), f"the image has no registry: {images}")
annotations = production["Deployment", "svc-mcp"]["spec"]["template"]["metadata"].get("annotations") or {}
check("prometheus.io/scrape" not in annotations, "a Prometheus could scrape every instance twice")
done("the Kubernetes overlay: TLS, metrics, autoscaling, secrets by reference, managed stores")
