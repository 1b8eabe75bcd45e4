"""How the service scales: throughput by stored keys, memory of an active key, start time and idle memory with many keys.
And whether every use of a key is accounted for."""

import os
import sqlite3
import statistics
import subprocess
import time
from contextlib import ExitStack

import install
import load
import machine
import servers

# 50,000 requests: with the warm-up, a thousand keys stay below their limit of 60 a minute.
PORTIONS, PORTION = 10, 5_000
FEW = 1_000


def seed(database, keys, folder, brands_with_posts=0, clear=0):
    command = [install.OURS / "seed", "--database", database, "--keys", keys, "--folder", folder]
    command += ["--brands-with-posts", brands_with_posts, "--clear", clear]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        raise machine.Broken(f"seeding failed: {machine.error_in(done.stderr)}")
    os.sync()  # so that the kernel does not write the new rows while the service is measured


class Store:
    """A SQLite database with `stored` keys, and how many requests were sent to the services on it."""

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


def one_round(binary, stores, work, random):
    """Each store gets a new process, because a full rate window would stay full for a minute. The requests are sent in
    small portions to one after the other, because the machine's speed changes from one second to the next."""
    with ExitStack() as stack:
        running = {}
        for name, (store, active) in stores.items():
            contestant, _ = store.start(binary)
            stack.callback(contestant.stop)
            load.exactly(contestant.port, work, active, active)
            running[name] = contestant
        for contestant in running.values():
            contestant.settle()
        before = {name: contestant.process.cpu_seconds() for name, contestant in running.items()}
        portions = {name: [] for name in stores}
        for number in range(PORTIONS):
            for name in random.sample(list(stores), len(stores)):
                _, active = stores[name]
                first = number * PORTION % active
                portion = load.exactly(running[name].port, work, PORTION, min(active, PORTION), first)
                portions[name].append(portion)
        rows = {}
        for name, contestant in running.items():
            cpu = contestant.process.cpu_seconds() - before[name]
            whole = add_up(portions[name])
            rows[name] = load.figures(whole, cpu, cpu, whole["refused"])
            store, active = stores[name]
            store.sent += active + PORTIONS * PORTION
            store.stop(contestant)
    return rows


def add_up(portions):
    added = {figure: sum(portion[figure] for portion in portions) for figure in ("requests", "seconds", "refused")}
    middle = {figure: statistics.median(portion[figure] for portion in portions) for figure in ("p50_us", "p99_us")}
    return added | middle


def throughput(binary, stores, work, count, random):
    """The figures of each store, with their ratios to the first."""
    samples = {name: [] for name in stores}
    for number in range(count):
        print(f"growth, {', '.join(stores)}: round {number + 1} of {count}", flush=True)
        for name, row in one_round(binary, stores, work, random).items():
            samples[name].append(row)
    return load.medians(samples, baseline=next(iter(stores)))


def ratio_of_last(rows):
    *_, last = rows.values()
    return last["ratio"], last["between"]


def memory(binary, store, active, work):
    """Bytes of an idle process, and bytes of an active key without the 8 of each counted request."""
    contestant, _ = store.start(binary)
    try:
        time.sleep(3)
        idle = contestant.process.resident_bytes()
        # First as many other keys, so that buffers and page caches, which do not grow with the keys, do not count.
        load.exactly(contestant.port, work, active, active)
        contestant.settle()
        before = contestant.process.resident_bytes()
        load.exactly(contestant.port, work, active, active, first=active)
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
    """`sizes`: small, middle, large. The clear keys of the large store are written to `work.keys`; the other stores hold the
    first of them."""
    small, middle, large = sizes
    stores = {stored: Store(root, stored, clear=2 * active if stored == large else 0) for stored in sizes}

    def named(*pairs):
        return {f"{stored:,} stored, {used:,} active": (stores[stored], used) for stored, used in pairs}

    few = named((small, FEW), (middle, FEW), (large, FEW))
    many = named((small, FEW), (middle, active), (large, active))
    tables = {
        f"List by stored keys, {used:,} active": throughput(binary, group, work, count, random)
        for used, group in [(FEW, few), (active, many)]
    }
    idle, per_key = memory(binary, stores[large], active, work)
    of_few, of_many = tables.values()
    accounted = {stored: store.uses_written() + store.lost for stored, store in stores.items()}
    return {
        "sizes": list(sizes),
        "throughput": tables,
        "large_to_small_few_active": ratio_of_last(of_few),
        "large_to_small_many_active": ratio_of_last(of_many),
        "idle_bytes": idle,
        "bytes_per_active_key": per_key,
        "start_seconds": start_seconds(binary, stores[large], count),
        "uses_accounted": sum(accounted.values()) / sum(store.sent for store in stores.values()),
        "uses_lost": sum(store.lost for store in stores.values()),
    }
