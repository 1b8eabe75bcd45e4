"""Processes pinned to a core: start, watch and stop them. And a description of the machine."""

import datetime
import os
import platform
import signal
import socket
import subprocess
import time
from pathlib import Path

SERVER_CORE, GENERATOR_CORE = 0, 1
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


class Broken(Exception):
    """The measurement cannot go on; the text says why."""


def error_in(output):
    """What went wrong, from the output of a program: a panic's message, else the first line that names an error, else the
    last line (of a Python traceback that is the error)."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if not lines:
        return "(no output)"
    for number, line in enumerate(lines):
        if "panicked at" in line:
            return " ".join(lines[number : number + 2])[:500]
    is_traceback = any(line.startswith("Traceback") for line in lines)
    named = (line for line in lines if any(word in line.lower() for word in ("error", "fatal", "cannot", "failed")))
    return lines[-1][:500] if is_traceback else next(named, lines[-1])[:500]


def description():
    model = next(
        (line.split(":", 1)[1].strip() for line in lines_of("lscpu") if line.startswith("Model name")), "unknown"
    )
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "kernel": platform.release(),
        "date": datetime.date.today().isoformat(),
    }


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, what, seconds=180, pause=0.05):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Broken(f"{what} took longer than {seconds} s")
        time.sleep(pause)


def listens(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Process:
    """A program pinned to a core, with everything it starts."""

    def __init__(self, command, core, log, environment=None):
        self.log = Path(log)
        with self.log.open("wb") as output:
            self.handle = subprocess.Popen(
                ["taskset", "-c", str(core), *map(str, command)],
                env={**os.environ, **(environment or {})},
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_for_port(self, port, seconds=180):
        wait_until(lambda: self.has_ended() or listens(port), f"the start of {self.log.stem}", seconds)
        if self.has_ended():
            raise Broken(f"{self.log.stem} ended while it started: {self.error()}")

    def has_ended(self):
        return self.handle.poll() is not None

    def error(self):
        return error_in(self.log.read_text(errors="replace"))

    def stop(self):
        """With SIGTERM first, so that it writes what it holds in memory. Then the rest of its process group is killed."""
        if not self.has_ended():
            self.handle.terminate()
            try:
                self.handle.wait(timeout=30)
            except subprocess.TimeoutExpired:
                pass
        try:
            os.killpg(self.handle.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.handle.wait()

    def family(self):
        """Its process id and those of all its descendants."""
        parents = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and (fields := stat_of(entry.name)):
                parents[int(entry.name)] = int(fields[1])
        family = [self.handle.pid]
        for member in family:
            family += [child for child, parent in parents.items() if parent == member]
        return family

    def cpu_seconds(self):
        """User and kernel time of all of them, also of those that have ended since."""
        ticks = 0
        for member in self.family():
            if fields := stat_of(member):
                ticks += sum(int(field) for field in fields[11:15])
        return ticks / TICKS

    def resident_bytes(self):
        pages = 0
        for member in self.family():
            if fields := stat_of(member):
                pages += int(fields[21])
        return pages * PAGE


def stat_of(process_id):
    """The fields of /proc/PID/stat after the name, or None if the process is gone."""
    try:
        return Path(f"/proc/{process_id}/stat").read_text().rpartition(") ")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def settle(process, timeout, has_work=lambda: False):
    """Waits until a process has finished what a load left behind, such as deferred writes: it has no work left and uses
    less than 4 % of a core. After `timeout` seconds the measurement goes on anyway."""
    end = time.monotonic() + timeout
    before = process.cpu_seconds()
    while time.monotonic() < end:
        time.sleep(0.25)
        now = process.cpu_seconds()
        if now - before <= 0.01 and not has_work():
            return
        before = now
