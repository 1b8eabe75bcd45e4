"""How it grows: throughput by stored keys, memory of an active key, start with a million keys, idle memory; and
whether every use that was answered is accounted for."""

import sqlite3
import statistics
import subprocess
import time

import install
import load
import servers

# So many requests fit into the windows of a thousand keys, with the warm-up's one each.
REQUESTS = 50_000
FEW = 1_000


def seed(database, keys, folder, brands_with_posts=0, clear=0):
    command = [install.OURS / "seed", "--database", database, "--keys", keys, "--folder", folder]
    command += ["--brands-with-posts", brands_with_posts, "--clear", clear]
    subprocess.run([str(part) for part in command], check=True)


class Store:
    """A SQLite database with so many keys, and what was sent to the service on it."""

    def __init__(self, root, stored, clear=0):
        self.stored, self.folder = stored, root / f"stored-{stored}"
        self.sent, self.lost = 0, 0
        self.folder.mkdir()
        print(f"seeding {stored:,} keys", flush=True)
        seed(self.folder / "svc-mcp.db", stored, root, clear=clear)

    def start(self, binary):
        return servers.service(binary, f"svc-mcp with {self.stored} keys", self.folder, {})

    def stop(self, contestant):
        self.lost += servers.metric(contestant.metrics_port, "svc_mcp_uses_lost_total")
        contestant.stop()

    def uses_written(self):
        with sqlite3.connect(self.folder / "svc-mcp.db") as database:
            return database.execute("SELECT COALESCE(SUM(requests), 0) FROM usage_counts").fetchone()[0]


def throughput(binary, store, active, work):
    """A new process, since a window that is full would stay so for a minute; each key is used once before."""
    contestant, _ = store.start(binary)
    try:
        load.exactly(contestant.port, work, active, active)
        before = contestant.process.cpu_seconds()
        result = load.exactly(contestant.port, work, REQUESTS, active)
        cpu = contestant.process.cpu_seconds() - before
        result = load.figures(result, cpu, cpu, result["refused"])
        store.sent += active + REQUESTS
        store.stop(contestant)
    finally:
        contestant.stop()
    return result


def memory(binary, store, active, work):
    """Bytes of an idle process, and of an active key beyond the 8 of each counted request."""
    contestant, _ = store.start(binary)
    try:
        time.sleep(3)
        idle = contestant.process.resident_bytes()
        # As many requests with few keys first: buffers that any load needs are no key's.
        few = active // 50
        load.exactly(contestant.port, work, active, few)
        contestant.settle()
        before = contestant.process.resident_bytes()
        load.exactly(contestant.port, work, active, active, first=few)
        contestant.settle()
        after = contestant.process.resident_bytes()
        store.sent += 2 * active
        store.stop(contestant)
    finally:
        contestant.stop()
    return idle, (after - before) / active - 8


def start_seconds(binary, store, times):
    taken = []
    for _ in range(times):
        contestant, seconds = store.start(binary)
        contestant.stop()
        taken.append(seconds)
    return statistics.median(taken)


def measure(binary, root, work, sizes, active, count, random):
    """`sizes`: small, middle, large. `work.keys` gets the clear keys of the large store, which the others begin with."""
    small, middle, large = sizes
    stores = {stored: Store(root, stored, clear=2 * active if stored == large else 0) for stored in sizes}
    pairs = [(small, FEW), (middle, FEW), (large, FEW), (middle, active), (large, active)]
    entries = {
        f"{stored:,} stored, {used:,} active": lambda stored=stored, used=used: throughput(
            binary, stores[stored], used, work
        )
        for stored, used in pairs
    }
    samples = load.rounds("growth", entries, count, random)
    idle, per_key = memory(binary, stores[large], active, work)
    names = list(entries)
    accounted = {stored: store.uses_written() + store.lost for stored, store in stores.items()}
    return {
        "throughput": load.medians(samples),
        "large_to_small_few_active": load.ratio(samples, names[2], names[0]),
        "large_to_small_many_active": load.ratio(samples, names[4], names[0]),
        "idle_bytes": idle,
        "bytes_per_active_key": per_key,
        "start_seconds": start_seconds(binary, stores[large], count),
        "uses_accounted": sum(accounted.values()) / sum(store.sent for store in stores.values()),
        "uses_lost": sum(store.lost for store in stores.values()),
    }
