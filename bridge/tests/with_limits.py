"""Runs the bridge with other limits, so that tests of timeouts are fast.

BRIDGE_LIMITS is a JSON object with constants of the bridge. BRIDGE_PATCH is Python code that runs before the bridge.
"""

import importlib.util
import json
import os
import sys
from pathlib import Path

spec = importlib.util.spec_from_file_location("svc_mcp_stdio", Path(__file__).parents[1] / "svc_mcp_stdio.py")
bridge = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bridge)
for name, value in json.loads(os.environ.get("BRIDGE_LIMITS", "{}")).items():
    assert hasattr(bridge, name), name
    setattr(bridge, name, value)
exec(os.environ.get("BRIDGE_PATCH", ""))
sys.exit(bridge.main(sys.argv[1:]))
