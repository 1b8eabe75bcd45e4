"""Checks the check of SBOMs: `cargo tree … --prefix none | sbom_test.py WORK` makes one of the tree, and then spoils it."""

import json
import pathlib
import re
import subprocess
import sys

from common import check, done

FILE = pathlib.Path(sys.argv[1]) / "sbom.json"
tree = sys.stdin.read()
packages = sorted(set(re.findall(r"^(\S+) v(\d\S*)", tree, re.M)))


def is_accepted(components):
    (root,) = [component for component in components if component["name"] == "svc-mcp"]
    others = [component for component in components if component is not root]
    FILE.write_text(json.dumps({"bomFormat": "CycloneDX", "metadata": {"component": root}, "components": others}))
    script = pathlib.Path(__file__).with_name("sbom.py")
    return subprocess.run([sys.executable, script, FILE], input=tree, text=True, capture_output=True).returncode == 0


def components():
    return [
        {"name": name, "version": version, "purl": f"pkg:cargo/{name}@{version}", "licenses": [{"expression": "MIT"}]}
        for name, version in packages
    ]


check(is_accepted(components()), "an SBOM with every package is refused")
middle = len(packages) // 2 if packages[len(packages) // 2][0] != "svc-mcp" else 0
without_one, another_version, no_licence = components(), components(), components()
del without_one[middle]
another_version[middle]["version"] += "-other"
del no_licence[middle]["licenses"]
for spoiled, what in ((without_one, "without a package"), (another_version, "with another version"), (no_licence, "without a licence")):
    check(not is_accepted(spoiled), f"an SBOM {what} is accepted")
done("an SBOM that lacks something is refused")
