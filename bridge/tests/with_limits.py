"""Runs the bridge with other limits than its own, so that a test of a time limit need not wait for it.

BRIDGE_LIMITS is a JSON object of constants of the bridge. BRIDGE_PATCH, if set, is Python code that runs before it:
what a careless library might do in the same process.
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
