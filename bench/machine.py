"""Processes on their cores: started, watched and ended; and what the machine is."""

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


def wait_until(condition, what, seconds=30, pause=0.05):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Broken(f"{what} did not happen within {seconds} s")
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

    def wait_for_port(self, port, seconds=30):
        wait_until(lambda: self.has_ended() or listens(port), f"a listener of {self.log.stem}", seconds)
        if self.has_ended():
            raise Broken(f"{self.log.stem} ended at its start: {self.last_words()}")

    def has_ended(self):
        return self.handle.poll() is not None

    def last_words(self):
        lines = [line for line in self.log.read_text(errors="replace").splitlines() if line.strip()]
        return lines[-1].strip()[:300] if lines else "(it said nothing)"

    def stop(self):
        """Politely, so that what is in memory gets written; whatever is left of the group is then killed."""
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
        """Its own id and those of all its descendants."""
        parents = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and (fields := stat_of(entry.name)):
                parents[int(entry.name)] = int(fields[1])
        family = [self.handle.pid]
        for member in family:
            family += [child for child, parent in parents.items() if parent == member]
        return family

    def cpu_seconds(self):
        """Spent by all of them, in user and kernel, also by those that have ended since."""
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
    """The fields of /proc/PID/stat behind the name, or None where the process is gone."""
    try:
        return Path(f"/proc/{process_id}/stat").read_text().rpartition(") ")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def settle(process, longest, has_work=lambda: False):
    """Waits until what a load left behind (writes that were put off) is done: there is nothing left to write, and less
    than 4 % of a core is used."""
    end = time.monotonic() + longest
    before = process.cpu_seconds()
    while time.monotonic() < end:
        time.sleep(0.25)
        now = process.cpu_seconds()
        if now - before <= 0.01 and not has_work():
            return
        before = now
