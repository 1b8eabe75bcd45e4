#!/usr/bin/env python3
"""What 10 million keys, 1 million brands and 100,000 requests a second need: docs/scale.md.

`scale.py` prints the tables, computed from scale_figures.json. `scale.py --simulate` also runs the model of windows and jobs at
this size. `--fraction 0.01` makes the model smaller, and `--write-docs` writes everything into docs/scale.md.
"""

import argparse
import collections
import heapq
import json
import math
import pathlib
import random

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEYS, BRANDS, RATE = 10_000_000, 1_000_000, 100_000
LIMIT, WINDOW = 60, 60.0
BUCKETS, SLOTS = 256, 16_384
BEGIN, END = "<!-- computed: written by bench/scale.py --write-docs -->", "<!-- end of computed -->"


def load_figures():
    with open(ROOT / "bench/scale_figures.json", encoding="utf-8") as file:
        return {name: entry["value"] for name, entry in json.load(file).items()}


def size(number_of_bytes):
    for unit in ["B", "KiB", "MiB", "GiB", "TiB"]:
        if number_of_bytes < 1024 or unit == "TiB":
            return f"{number_of_bytes:,.0f} {unit}" if number_of_bytes >= 10 else f"{number_of_bytes:,.1f} {unit}"
        number_of_bytes /= 1024
    raise AssertionError


def plan(f):
    """The numbers of servers, and what each of them needs."""
    query = f["share_of_calls_with_a_query"]
    cpu = ((1 - query) * f["cpu_of_a_cached_call_us"] + query * f["cpu_of_a_call_with_a_query_us"]) / 1e6
    cores = RATE * cpu / f["busy_share"]
    by_cpu = math.ceil(cores / f["cores_of_an_instance"])
    # The balancer sends a key to one instance. Hashing gives some instances a tenth more than others.
    by_cache = math.ceil(1.1 * KEYS / f["cached_keys_of_an_instance"])
    instances = max(by_cpu, by_cache) + 1
    masters = max(3, math.ceil(RATE * f["step_us"] / 1e6 / f["busy_share"]))
    # The most windows: every key sends one request after the other. Each lives a second longer than it counts.
    windows = min(KEYS, RATE * (WINDOW + 1))
    redis = windows * f["window_bytes"] + RATE * (WINDOW + 1) * f["window_bytes_of_a_request"] + BRANDS * f["stamp_bytes"]
    events = min(RATE, instances * f["events_of_a_write"] / f["seconds_between_writes"])
    counted = instances * f["groups_of_a_write"] / f["seconds_between_writes"]
    # Different keys in a minute, if all keys are equally likely.
    different = KEYS * (1 - math.exp(-RATE * WINDOW / KEYS)) / WINDOW
    usage_rows = KEYS * f["share_of_keys_active_on_a_day"] * f["usage_rows_of_an_active_key_and_day"]
    workers = BRANDS * f["audits_of_a_brand_and_day"] * f["audit_seconds"] / 86_400 / f["busy_share"]
    return {
        "cores": cores,
        "by_cpu": by_cpu,
        "by_cache": by_cache,
        "instances": instances,
        "instance_memory": f["memory_of_an_instance_mib"] * 2**20
        + min(1.1 * KEYS / (instances - 1), f["cached_keys_of_an_instance"]) * f["memory_of_a_cached_key_bytes"],
        "masters": masters,
        "redis": redis,
        "master_memory": 2 * redis / masters,
        "events": events,
        "activity": events * 86_400 * f["event_days"] * f["event_bytes"],
        "events_a_day": events * 86_400 * f["event_bytes"],
        "week": events * 86_400 * 7,
        "counted": counted,
        "different": different,
        "counted_until": instances * f["waiting_groups"] / (different - counted),
        "usage_rows": usage_rows,
        "usage": usage_rows * f["usage_days"] * f["usage_row_bytes"],
        "keys": KEYS * f["key_row_bytes"],
        "client_network": RATE * f["call_network_bytes"],
        "redis_network": RATE * f["step_network_bytes"],
        "replica_network": RATE * (f["window_bytes"] + LIMIT * f["window_bytes_of_a_request"]),
        "workers": math.ceil(workers),
    }


def tables(f):
    p = plan(f)
    rows = [
        ("instances of 2 cores", f"{p['instances']}",
         f"{p['cores']:.1f} cores at half load need {p['by_cpu']}; {KEYS:,} keys in caches of a million need {p['by_cache']}; one more may fail"),
        ("memory of an instance", size(p["instance_memory"]), "the process and its share of the keys"),
        ("Redis masters (shards)", f"{p['masters']}, each with a replica", f"{RATE:,} steps a second, half of each server's core"),
        ("memory of a Redis server", size(p["master_memory"]),
         f"{size(p['redis'])} in all at most, divided by the masters, twice as much as room"),
        ("events a second", f"{p['events']:,.0f}", "what busy instances write; the other requests are counted by day, and `left_out` says how many"),
        ("counts of use a second", f"{p['counted']:,.0f}",
         f"what busy instances write, of {p['different']:,.0f} different keys a second; **after {p['counted_until']:.0f} s of constant load, "
         "further counts are lost**, and a metric says how many"),
        ("disk for activity", size(p["activity"]), f"{size(p['events_a_day'])} a day; {p['week'] / 1e9:.1f} billion rows in a weekly partition"),
        ("disk for daily usage", size(p["usage"]), f"{p['usage_rows'] / 1e6:.0f} million rows a day"),
        ("disk for keys", size(p["keys"]), "with their indexes"),
        ("network of clients", f"{p['client_network'] * 8 / 1e9:.1f} Gbit/s", "all instances together"),
        ("network to Redis", f"{p['redis_network'] * 8 / 1e9:.2f} Gbit/s", "all masters together"),
        ("network to replicas", f"{p['replica_network'] * 8 / 1e9:.2f} Gbit/s", "if every window were full"),
        ("workers for audits", f"{p['workers']}", "half of them busy on average"),
    ]
    lines = ["| what | how much | why |", "|---|---|---|"]
    lines += [f"| {what} | {much} | {why} |" for what, much, why in rows]
    return "\n".join(lines)


def crc16(text):
    crc = 0
    for byte in text:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1
        crc &= 0xFFFF
    return crc


def bucket_of(brand):
    return crc16(f"brand-{brand}".encode()) % SLOTS // (SLOTS // BUCKETS)


def simulate_windows(fraction, masters, seed=25):
    """Requests of all keys for 90 seconds. One master fails for 5 seconds: its keys are refused, and its replica has what it counted.

    A hundredth of the requests come from a few keys that send much more than they may. Every window is checked afterwards by
    counting, in both directions: none has more than the limit, and no request was refused while its window had room.
    """
    draw = random.Random(seed)
    keys, brands, seconds = int(KEYS * fraction), int(BRANDS * fraction), 90
    greedy = max(1, keys // 100_000)
    of_bucket = collections.defaultdict(list)
    for brand in range(brands):
        of_bucket[bucket_of(brand)].append(brand)
    totals = collections.Counter()
    per_master = collections.Counter()
    for bucket in range(BUCKETS):
        own = of_bucket[bucket]
        if not own:
            continue
        share = len(own) / brands
        master = bucket * masters // BUCKETS
        count = int(RATE * fraction * seconds * share)
        times = sorted(draw.random() * seconds for _ in range(count))
        windows, admitted, refused = {}, collections.defaultdict(list), []
        per_brand = keys // brands
        greedy_here = [own[draw.randrange(len(own))] * per_brand for _ in range(max(1, int(greedy * share)))]
        # In a small model a hundredth would be too few to reach the limit.
        greedy_share = max(0.01, min(0.5, 200 / count)) if count else 0.0
        for at in times:
            if draw.random() < greedy_share:
                key = greedy_here[draw.randrange(len(greedy_here))]
            else:
                key = own[draw.randrange(len(own))] * per_brand + draw.randrange(per_brand)
            if master == 0 and 30 <= at < 35:
                totals["refused by the failover"] += 1
                continue
            window = windows.setdefault(key, collections.deque())
            while window and at - window[0] >= WINDOW:
                window.popleft()
            if len(window) < LIMIT:
                window.append(at)
                admitted[key].append(at)
            else:
                refused.append((key, at))
        totals["requests"] += count
        totals["refused by the limit"] += len(refused)
        per_master[master] += count
        check(admitted, refused)
    mean = sum(per_master.values()) / masters
    uneven = max(abs(count - mean) for count in per_master.values()) / mean
    return totals, uneven, keys


def check(admitted, refused):
    for times in admitted.values():
        for first, last in zip(times, times[LIMIT:]):
            assert last - first >= WINDOW, "a window has more than the limit"
    for key, at in refused:
        inside = sum(1 for time in admitted[key] if 0 <= at - time < WINDOW)
        assert inside == LIMIT, "refused, although the window had room"


def simulate_jobs(fraction, f, workers, flooders, seed=25):
    """The waits of brands with one audit while other brands always have five open ones. Brands take turns."""
    draw = random.Random(seed)
    brands = int(BRANDS * fraction)
    seconds = 6 * 3_600
    arrivals = sorted(draw.random() * seconds for _ in range(int(brands * f["audits_of_a_brand_and_day"] * seconds / 86_400)))
    last_turn, queued, turns = {}, {}, []
    busy = []
    waits = []

    def enqueue(brand, at):
        queue = queued.setdefault(brand, collections.deque())
        queue.append(at)
        if len(queue) == 1:
            heapq.heappush(turns, (last_turn.get(brand, -1.0), at, brand))

    def start_jobs(now):
        while turns and len(busy) < workers:
            _, _, brand = heapq.heappop(turns)
            asked = queued[brand].popleft()
            last_turn[brand] = now
            if queued[brand]:
                heapq.heappush(turns, (now, queued[brand][0], brand))
            if brand >= 0:
                waits.append(now - asked)
            heapq.heappush(busy, (now + f["audit_seconds"] * (0.5 + draw.random()), brand))

    for flooder in range(flooders):
        for _ in range(5):
            enqueue(-1 - flooder, 0.0)
    start_jobs(0.0)
    next_arrival = 0
    while next_arrival < len(arrivals):
        if busy and busy[0][0] <= arrivals[next_arrival]:
            now, brand = heapq.heappop(busy)
            if brand < 0:
                enqueue(brand, now)
        else:
            now = arrivals[next_arrival]
            enqueue(next_arrival % brands, now)
            next_arrival += 1
        start_jobs(now)
    waits.sort()
    return len(waits), waits[len(waits) // 2], waits[len(waits) * 99 // 100], waits[-1]


def simulation(f, fraction):
    p = plan(f)
    totals, uneven, keys = simulate_windows(fraction, p["masters"])
    workers = max(2, int(p["workers"] * fraction))
    lines = [
        f"- Windows: {totals['requests']:,} requests of {keys:,} keys in 90 seconds, a hundredth of them from keys that send too much. "
        f"{totals['refused by the limit']:,} were refused by the limit, and {totals['refused by the failover']:,} in the 5 seconds in "
        "which a master had failed. Every window was counted again: none had more than 60 requests, and none refused one while it had room.",
        f"- Masters: the busiest of {p['masters']} differs by {uneven:.1%} from the mean.",
    ]
    for flooders in [0, workers]:
        count, median, p99, most = simulate_jobs(fraction, f, workers, flooders)
        others = "no brand with more" if flooders == 0 else f"{flooders:,} brands that always have five open"
        lines.append(
            f"- Jobs: {count:,} brands with one audit each, {workers} workers, {others}: they wait {median:.0f} s (median), "
            f"{p99:.0f} s (p99), {most:.0f} s (longest)."
        )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulate", action="store_true")
    parser.add_argument("--fraction", type=float, default=1.0)
    parser.add_argument("--write-docs", action="store_true")
    arguments = parser.parse_args()
    figures = load_figures()
    text = tables(figures)
    if arguments.simulate or arguments.write_docs:
        text += "\n\n" + simulation(figures, arguments.fraction)
    print(text)
    if arguments.write_docs:
        page = ROOT / "docs/scale.md"
        before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        _, _, after = rest.partition(END)
        page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
