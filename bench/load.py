"""Load on a contestant, and what it cost: requests a second, latency, CPU time."""

import json
import statistics
import subprocess
from dataclasses import dataclass
from pathlib import Path

import install
from machine import GENERATOR_CORE, SERVER_CORE, Broken

SCRIPT = Path(__file__).with_name("wrk.lua")


@dataclass
class Work:
    """A request as it goes over the wire, `{KEY}` standing for a key, and the file of keys to put there."""

    request: Path
    keys: Path
    is_refused: bool = False


def on_core(core, *command):
    done = subprocess.run(["taskset", "-c", str(core), *map(str, command)], capture_output=True, text=True)
    if done.returncode:
        raise Broken(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-300:]}")
    return json.loads(done.stdout.splitlines()[-1])


def wrk(port, work, connections, seconds, first):
    """Each connection sends the next request when it has its answer, for so many seconds, keys from the `first` on."""
    settings = ["-t", 1, "-c", connections, "-d", f"{seconds}s", "--timeout", "10s", "--latency", "-s", SCRIPT]
    url = f"http://127.0.0.1:{port}/"
    return on_core(GENERATOR_CORE, "wrk", *settings, url, "--", work.request, work.keys, first)


def exactly(port, work, requests, different, first=0, rate=0.0):
    """So many requests with so many different keys, at once or at a rate. oha, which has rates too, sends one key."""
    settings = {
        "--address": f"127.0.0.1:{port}",
        "--request": work.request,
        "--keys": work.keys,
        "--from": first,
        "--different": different,
        "--requests": requests,
        "--rate": rate,
    }
    result = on_core(GENERATOR_CORE, install.OURS / "load", *[part for pair in settings.items() for part in pair])
    statuses = result.pop("statuses")
    result.update(refused=requests - statuses.get("200", 0), broken=0)
    return result


def measured(contestant, work, run):
    """What `run` reports, with what it cost the contestant. Also counts the work it puts off until later."""
    contestant.settle()
    before = contestant.process.cpu_seconds()
    result = run()
    at_end = contestant.process.cpu_seconds()
    contestant.settle()
    after = contestant.process.cpu_seconds()
    wrong = result["requests"] - result["refused"] if work.is_refused else result["refused"]
    return figures(result, after - before, at_end - before, wrong + result["broken"])


def figures(result, cpu, cpu_in_time, unexpected=0):
    """`cpu` seconds in all, `cpu_in_time` of them while the load ran."""
    requests, seconds = result["requests"], result["seconds"]
    return {
        "rate": requests / seconds,
        "p50_us": result["p50_us"],
        "p99_us": result["p99_us"],
        "cpu_us": cpu / max(1, requests) * 1e6,
        "core_busy": cpu_in_time / seconds,
        "requests": requests,
        "unexpected": unexpected,
    }


def round_of(contestant, work, connections, seconds, random):
    """One round of wrk behind a second of warm-up."""
    wrk(contestant.port, work, connections, 1, random.randrange(1_000_000))
    first = random.randrange(1_000_000)
    return measured(contestant, work, lambda: wrk(contestant.port, work, connections, seconds, first))


def portion_of(contestant, work, requests, keys, random):
    """So many requests with as many of the keys."""
    first = random.randrange(keys - requests)
    return measured(contestant, work, lambda: exactly(contestant.port, work, requests, requests, first))


def queries(database, brands, limit, connections, requests):
    """The query of `list_posts` alone, through the store and nothing else, behind a warm-up of as many."""
    settings = ["--brands", brands, "--limit", limit, "--tasks", connections, "--requests", requests]
    result = on_core(SERVER_CORE, install.OURS / "query", "--database", database, *settings)
    return figures(result, result["cpu_seconds"], result["cpu_seconds"])


def rounds(title, entries, count, random):
    """Runs every entry `count` times, in a new random order each time: whatever else the machine does meets all."""
    samples = {name: [] for name in entries}
    for number in range(count):
        print(f"{title}: round {number + 1} of {count}", flush=True)
        order = list(entries)
        random.shuffle(order)
        for name in order:
            samples[name].append(entries[name]())
    return samples


def medians(samples, limit=None):
    """name → the median of each figure; unexpected answers are added up. `limit`: whose rate the ratios are against."""
    result = {}
    for name, rows in samples.items():
        result[name] = {figure: statistics.median(row[figure] for row in rows) for figure in rows[0]}
        result[name]["unexpected"] = sum(row["unexpected"] for row in rows)
        result[name]["rounds"] = [round(row["rate"]) for row in rows]
    if limit:
        for name, row in result.items():
            row["ratio"], row["between"] = ratio(result, name, limit), between(result, name, limit)
    return result


def ratio(rows, one, other):
    """The median over the rounds of one's rate divided by the other's of the same round."""
    return statistics.median(ratios(rows, one, other))


def ratios(rows, one, other):
    """Of each round, in order."""
    pairs = zip(rows[one]["rounds"], rows[other]["rounds"], strict=True)
    return sorted(mine / theirs for mine, theirs in pairs)


def between(rows, one, other):
    """Where the median of ever more rounds would be, by nineteen chances in twenty: told by ranks, whatever the
    rounds are like."""
    of_rounds = ratios(rows, one, other)
    rank = max(1, round(len(of_rounds) / 2 - 0.98 * len(of_rounds) ** 0.5))
    return of_rounds[rank - 1], of_rounds[-rank]
