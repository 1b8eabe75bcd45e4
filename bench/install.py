"""Installs and builds what the measurement needs."""

import os
import shutil
import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
OURS = REPOSITORY / "target" / "bench" / "release"
SERVICE = REPOSITORY / "target" / "release" / "svc-mcp"

# program or path → package
PACKAGES = {
    "wrk": "wrk",
    "taskset": "util-linux",
    "nginx": "nginx",
    "haproxy": "haproxy",
    "redis-server": "redis-server",
    "initdb": "postgresql",
}


def has(program):
    if program == "initdb":
        return postgres_programs() is not None
    return shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin") is not None


def postgres_programs():
    """The folder of the newest PostgreSQL in Debian's layout."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    return found[-1].parent if found else None


def packages():
    missing = sorted({package for program, package in PACKAGES.items() if not has(program)})
    if not missing:
        return
    print(f"installing {' '.join(missing)}", flush=True)
    root = [] if os.geteuid() == 0 else ["sudo"]
    # With RUNLEVEL=1 the packages do not start their servers.
    quiet = ["env", "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1", "apt-get", "-o", "DPkg::Lock::Timeout=300", "-qq"]
    subprocess.run([*root, *quiet, "update"], check=True, stdout=subprocess.DEVNULL)
    install = [*root, *quiet, "install", "--no-install-recommends", "-y", *missing]
    subprocess.run(install, check=True, stdout=subprocess.DEVNULL)


def cargo(folder, target, *arguments):
    environment = dict(os.environ, CARGO_TARGET_DIR=str(REPOSITORY / target))
    environment["PATH"] = f"{Path.home()}/.cargo/bin:{environment['PATH']}"
    command = ["nice", "-n", "10", "cargo", "build", "--release", *arguments]
    subprocess.run(command, cwd=folder, env=environment, check=True)


def build(service_too):
    """Does nothing if nothing has changed."""
    print("building (some minutes the first time)", flush=True)
    if service_too:
        cargo(REPOSITORY, "target", "--locked", "-p", "svc-mcp")
    # Not locked: a new dependency of the service's crates is added to this lock file instead of stopping the run.
    cargo(REPOSITORY / "bench" / "contestants", "target/bench")
