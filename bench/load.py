"""Sends load to a contestant and measures requests a second, latency and CPU time."""

import itertools
import json
import math
import statistics
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import install
from machine import GENERATOR_CORE, Broken, error_in

SCRIPT = Path(__file__).with_name("wrk.lua")
# After an idle time the first use of a key allocates its counters, the next ones do not. A warm-up sends each key once, if
# that takes no more than this many turns, so that short and long runs measure the same.
MAX_WARM_UP_TURNS = 50
MIN_WARM_UP_TURNS = 10
# An interval is computed from the medians of this many blocks of consecutive turns.
BLOCKS = 12
# Fewer rounds than this give no interval of 95 % confidence.
MIN_ROUNDS = 6


@dataclass
class Work:
    """A request as sent over the wire, with `{KEY}` in the place of the key, and the file of keys to send."""

    request: Path
    keys: Path
    is_refused: bool = False

    @cached_property
    def keys_count(self):
        return len(self.keys.read_text().split())


def run_on_core(core, *command):
    """Runs a program that prints its results as JSON in its last line."""
    name = Path(command[0]).name
    done = subprocess.run(["taskset", "-c", str(core), *map(str, command)], capture_output=True, text=True)
    if done.returncode:
        raise Broken(f"{name} failed: {error_in(done.stderr or done.stdout)}")
    try:
        return json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        raise Broken(f"{name} printed no results: {error_in(done.stderr + done.stdout)}") from None


def wrk(port, work, connections, seconds, first):
    """Each connection sends the next request when it has its response, for `seconds`; keys from number `first` on."""
    settings = ["-t", 1, "-c", connections, "-d", f"{seconds}s", "--timeout", "10s", "--latency", "-s", SCRIPT]
    url = f"http://127.0.0.1:{port}/"
    return run_on_core(GENERATOR_CORE, "wrk", *settings, url, "--", work.request, work.keys, first)


def in_turns(
    ports, work, requests, turns, different, first=0, rate=0.0, seed=0, awake=False, query=None, warm_up=0, connections=64
):
    """Sends `requests` to each port, one port after the other in a random order, `turns` times, with `different` keys.
    `query` is the port of the query program, which takes turns with the servers; its results come first. (oha has fixed
    rates too, but sends only one key.)"""
    settings = {
        "--connections": connections,
        "--request": work.request,
        "--keys": work.keys,
        "--skip": first,
        "--different": different,
        "--requests": requests,
        "--turns": turns,
        "--warm-up": warm_up,
        "--rate": rate,
        "--seed": seed,
    }
    addresses = [f"127.0.0.1:{port}" for port in ports]
    options = [part for pair in settings.items() for part in pair] + ["--awake"] * awake
    options += ["--query", f"127.0.0.1:{query}"] if query else []
    results = run_on_core(GENERATOR_CORE, install.OURS / "load", "--address", *addresses, *options)
    for result in results:
        refused = result["requests"] - result["statuses"].get("200", 0) - result["broken"]
        result.update(refused=refused, turns=result["seconds"], seconds=sum(result["seconds"]))
        result["measured_share"] = turns / (turns + warm_up)
    return results


def exactly(port, work, requests, different, first=0, rate=0.0):
    """Sends exactly `requests` to one port."""
    return in_turns([port], work, requests, 1, different, first, rate)[0]


def measured(contestant, work, run):
    """The figures of one run on one contestant."""
    ((_, row),) = with_costs([contestant], work, lambda: [run()])
    return row


def with_costs(contestants, work, run):
    """Pairs of (result, figures) of each contestant. CPU time counts until the contestant is idle again, so that work it
    defers is included."""
    before = [contestant.process.cpu_seconds() for contestant in contestants]
    results = run()
    at_end = [contestant.process.cpu_seconds() for contestant in contestants]
    for contestant in contestants:
        contestant.settle()
    after = [contestant.process.cpu_seconds() for contestant in contestants]
    pairs = []
    for result, begun, ended, idle in zip(results, before, at_end, after, strict=True):
        refused, broken = result["refused"], result["broken"]
        share = result.get("measured_share", 1)  # of the CPU time, which includes the warm-up's
        wrong = result["requests"] - refused - broken if work.is_refused else refused
        pairs.append((result, figures(result, (idle - begun) * share, (ended - begun) * share, wrong + broken)))
    return pairs


def figures(result, cpu, cpu_in_time, unexpected=0):
    """`cpu`: seconds in all; `cpu_in_time`: of these, seconds while the load ran."""
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


def wrk_round(contestant, work, connections, seconds, random):
    """One round of wrk, after a second of warm-up."""
    wrk(contestant.port, work, connections, 1, random.randrange(1_000_000))
    contestant.settle()
    first = random.randrange(1_000_000)
    return measured(contestant, work, lambda: wrk(contestant.port, work, connections, seconds, first))


def rate_round(contestant, work, rate, seconds):
    """One round at a fixed rate, directly after its warm-up. It has turns of a tenth of a second."""
    requests, turns = int(rate / 10), 10 * seconds
    options = {"rate": rate, "warm_up": warm_up_turns(work, requests)}
    return measured(
        contestant, work, lambda: in_turns([contestant.port], work, requests, turns, work.keys_count, **options)[0]
    )


def warm_up_turns(work, requests):
    return min(max(MIN_WARM_UP_TURNS, math.ceil(work.keys_count / requests)), MAX_WARM_UP_TURNS)


def alternate(contestants, work, requests, turns, connections, random, awake):
    """Turns so short that the machine's speed hardly changes between one contestant and the next. Returns name → figures
    of each turn; only the rate is the turn's own, the rest is the same in all rows."""
    ports = [contestant.port for contestant in contestants]
    options = {"seed": random.randrange(2**32), "awake": awake, "connections": connections}
    options["warm_up"] = warm_up_turns(work, requests)
    if contestants[0].is_query:
        options["query"] = ports.pop(0)
    pairs = with_costs(contestants, work, lambda: in_turns(ports, work, requests, turns, work.keys_count, **options))
    samples = {}
    for contestant, (result, row) in zip(contestants, pairs, strict=True):
        wrong = [row["unexpected"]] + [0] * (turns - 1)
        each = zip(result["turns"], wrong, strict=True)
        samples[contestant.name] = [
            dict(row, requests=requests, rate=requests / seconds, unexpected=unexpected) for seconds, unexpected in each
        ]
    return samples


def rounds(title, entries, count, random):
    """Runs every entry `count` times, in a new random order each time, so that other load on the machine affects all of
    them alike. The first two (the baseline and what is compared with it) always follow each other directly."""
    samples = {name: [] for name in entries}
    first, second, *others = entries
    for number in range(count):
        print(f"{title}: round {number + 1} of {count}", flush=True)
        groups = [random.sample([first, second], 2), *([other] for other in others)]
        for name in itertools.chain(*random.sample(groups, len(groups))):
            samples[name].append(entries[name]())
    return samples


def medians(samples, baseline=None):
    """name → the median of each figure, the sum of unexpected responses, and the ratio of its rate to that of `baseline`, if any."""
    result = {}
    for name, rows in samples.items():
        result[name] = {figure: statistics.median(row[figure] for row in rows) for figure in rows[0]}
        result[name]["unexpected"] = sum(row["unexpected"] for row in rows)
        result[name]["rounds"] = [round(row["rate"]) for row in rows]
        result[name]["p99_rounds"] = [row["p99_us"] for row in rows]
    for name, row in result.items():
        row["ratio"], row["between"] = compare(result, name, baseline) if baseline else (None, None)
    return result


def compare(rows, one, other, figure="rounds"):
    """The median over all rounds of one's figure divided by the other's of the same round, and its interval."""
    pairs = zip(rows[one][figure], rows[other][figure], strict=True)
    ratios = [mine / max(theirs, 1) for mine, theirs in pairs]
    return statistics.median(ratios), interval(ratios)


def interval(values):
    """The 95 % confidence interval of the median, or None for too few values. Consecutive turns are alike, so each block of
    them counts once. It is computed from ranks and assumes no distribution."""
    if len(values) < MIN_ROUNDS:
        return None
    size = max(1, len(values) // BLOCKS)
    starts = range(0, len(values) - size + 1, size)
    blocks = sorted(statistics.median(values[start : start + size]) for start in starts)
    rank = max(1, round(len(blocks) / 2 - 0.98 * len(blocks) ** 0.5))
    return blocks[rank - 1], blocks[-rank]
