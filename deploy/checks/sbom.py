"""Checks that an SBOM names every package of the dependency tree.

`cargo tree … --prefix none | sbom.py FILE` reads the packages from the tree. Those of the workspace must be in it too.
"""

import json
import re
import sys

from common import check, done

document = json.load(open(sys.argv[1]))
check(document.get("bomFormat") == "CycloneDX", "the SBOM is not in the format CycloneDX")
root = document["metadata"]["component"]
components = document["components"]
listed = {(component["name"], component["version"]) for component in [root, *components]}
built = set(re.findall(r"^(\S+) v(\d\S*)", sys.stdin.read(), re.M))
check(("svc-mcp", root["version"]) in built and len(built) > 100, "cannot read the packages from cargo tree")
missing = sorted(f"{name} {version}" for name, version in built - listed)
check(not missing, f"the SBOM lacks {', '.join(missing)}")
for component in components:
    what = f"{component['name']} {component['version']}"
    check(component.get("purl"), f"the SBOM has no package URL for {what}")
    check(component.get("licenses"), f"the SBOM has no licence for {what}")
done(f"the SBOM has {len(components)} packages, among them all {len(built)} of the dependency tree")
