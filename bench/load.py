"""Load on a contestant, and what it cost: requests a second, latency, CPU time."""

import itertools
import json
import statistics
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import install
from machine import GENERATOR_CORE, Broken

SCRIPT = Path(__file__).with_name("wrk.lua")


@dataclass
class Work:
    """A request as it goes over the wire, `{KEY}` standing for a key, and the file of keys to put there."""

    request: Path
    keys: Path
    is_refused: bool = False

    @cached_property
    def keys_count(self):
        return len(self.keys.read_text().split())


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


def in_turns(ports, work, requests, turns, different, first=0, rate=0.0, seed=0, awake=False, alone=None):
    """So many requests to each, one after the other in a random order, and that so many times; with so many different keys,
    at once or at a rate. Gives what each did, the one on the port `alone` first, which needs no requests sent. oha, which
    has rates too, sends one key."""
    settings = {
        "--request": work.request,
        "--keys": work.keys,
        "--from": first,
        "--different": different,
        "--requests": requests,
        "--turns": turns,
        "--rate": rate,
        "--seed": seed,
    }
    addresses = [f"127.0.0.1:{port}" for port in ports]
    options = [part for pair in settings.items() for part in pair] + ["--awake"] * awake
    options += ["--alone", f"127.0.0.1:{alone}"] if alone else []
    results = on_core(GENERATOR_CORE, install.OURS / "load", "--address", *addresses, *options)
    for result in results:
        refused = result["requests"] - result.pop("statuses").get("200", 0)
        result.update(refused=refused, broken=0, turns=result["seconds"], seconds=sum(result["seconds"]))
    return results


def exactly(port, work, requests, different, first=0, rate=0.0):
    """So many requests to one."""
    return in_turns([port], work, requests, 1, different, first, rate)[0]


def measured(contestant, work, run):
    """What `run` reports, with what it cost the contestant until it is idle again: what it puts off until later counts
    too."""
    ((_, row),) = costs_of([contestant], work, lambda: [run()])
    return row


def costs_of(contestants, work, run):
    """Pairs of what `run` reports on each and its row of figures."""
    before = [contestant.process.cpu_seconds() for contestant in contestants]
    results = run()
    at_end = [contestant.process.cpu_seconds() for contestant in contestants]
    for contestant in contestants:
        contestant.settle()
    after = [contestant.process.cpu_seconds() for contestant in contestants]
    pairs = []
    for result, begun, ended, idle in zip(results, before, at_end, after, strict=True):
        wrong = result["requests"] - result["refused"] if work.is_refused else result["refused"]
        pairs.append((result, figures(result, idle - begun, ended - begun, wrong + result["broken"])))
    return pairs


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
    contestant.settle()
    first = random.randrange(1_000_000)
    return measured(contestant, work, lambda: wrk(contestant.port, work, connections, seconds, first))


def alternately(contestants, work, requests, turns, random, awake):
    """Turns of so short a time that the machine has hardly changed between one contestant and the next: name → a row of
    figures for each turn. Only its rate is the turn's own."""
    ports = [contestant.port for contestant in contestants]
    how = {"seed": random.randrange(2**32), "awake": awake}
    if contestants[0].is_alone:
        how["alone"] = ports.pop(0)
    pairs = costs_of(contestants, work, lambda: in_turns(ports, work, requests, turns, work.keys_count, **how))
    samples = {}
    for contestant, (result, row) in zip(contestants, pairs, strict=True):
        wrong = [row["unexpected"]] + [0] * (turns - 1)
        each = zip(result["turns"], wrong, strict=True)
        samples[contestant.name] = [
            dict(row, requests=requests, rate=requests / seconds, unexpected=unexpected) for seconds, unexpected in each
        ]
    return samples


def rounds(title, entries, count, random):
    """Runs every entry `count` times, in a new random order each time: whatever else the machine does meets all. The
    first two, the limit and who must come close to it, always follow each other: the machine has hardly changed then."""
    samples = {name: [] for name in entries}
    first, second, *others = entries
    for number in range(count):
        print(f"{title}: round {number + 1} of {count}", flush=True)
        groups = [random.sample([first, second], 2), *([other] for other in others)]
        for name in itertools.chain(*random.sample(groups, len(groups))):
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
