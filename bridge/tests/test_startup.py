"""Fast start, supported Python versions, and imports."""

import ast
import json
import re
import shutil
import subprocess
import sys

import pytest

from harness import KEY, SCRIPT, WAIT_TIMEOUT, bridge_environment

SOURCE = SCRIPT.read_text(encoding="utf-8")
TRACED = ["-I", "-S", "-X", "importtime"]  # without site imports, with a line for each import


def modules_in(trace):
    return {line.split("|")[2].strip() for line in trace.decode().splitlines() if line.startswith("import time:")}


def modules_after(bridge):
    """The modules that a bridge with the flags TRACED has imported until its end."""
    bridge.rest()
    return modules_in(b"".join(bridge.seen))


def test_before_the_first_call_only_few_modules_are_imported(start):
    bare = [sys.executable, *TRACED, "-c", "import json, os, sys, threading"]
    baseline = modules_in(subprocess.run(bare, stderr=subprocess.PIPE, check=True).stderr)
    bridge = start(flags=TRACED)
    bridge.initialize()
    bridge.request("ping")
    assert modules_after(bridge) - baseline <= {"signal", "select"}


def test_a_call_over_plain_http_imports_neither_tls_nor_an_http_library(start):
    bridge = start(flags=TRACED)
    bridge.call()
    modules = modules_after(bridge)
    assert "socket" in modules and not {"ssl", "http.client", "email", "urllib.request"} & modules


@pytest.mark.parametrize("flags", [[], ["-I", "-S"], ["-I"], ["-O"], ["-OO"], ["-B"], ["-X", "dev"], ["-W", "error"]])
def test_it_works_under_interpreter_flags(start, flags):
    bridge = start(flags=flags)
    assert bridge.initialize()["serverInfo"]["version"] == "0.1.0"
    assert len(bridge.request("tools/list")["result"]["tools"]) == 2
    assert bridge.call()["result"]["isError"] is False
    bridge.rest()
    assert [line for line in bridge.seen if not line.startswith(b"{")] == []


def test_the_systems_own_python_runs_it(upstream):
    lines = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
    done = subprocess.run(
        ["/usr/bin/python3", "-I", "-S", str(SCRIPT)],
        input=lines,
        capture_output=True,
        timeout=WAIT_TIMEOUT,
        env=bridge_environment(upstream.url, KEY),
    )
    assert len(json.loads(done.stdout)["result"]["tools"]) == 2


def test_it_has_the_grammar_of_python_3_8():
    ast.parse(SOURCE, feature_version=(3, 8))


def test_it_imports_only_the_standard_library():
    imported = set()
    for node in ast.walk(ast.parse(SOURCE)):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module.partition(".")[0])
    assert imported <= set(sys.stdlib_module_names)


def test_the_version_is_on_its_own_line():
    assert re.findall(r'^VERSION = "(.*)"$', SOURCE, re.MULTILINE) == ["0.1.0"]


def test_modules_next_to_the_script_are_not_imported(tmp_path, upstream):
    script = shutil.copy(SCRIPT, tmp_path)
    for name in ("json", "socket", "queue", "select", "signal", "re", "threading"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('a stray module ran')")
    done = subprocess.run(
        [sys.executable, script],
        input=b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n',
        capture_output=True,
        timeout=WAIT_TIMEOUT,
        env=bridge_environment(upstream.url, KEY),
    )
    assert "result" in json.loads(done.stdout) and done.stderr == b""
