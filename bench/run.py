"""Measures svc-mcp, a bare server as the upper limit, and other servers, all in one run.

    python3 bench/run.py            # everything: about fifty minutes on an otherwise idle machine
    python3 bench/run.py --quick    # fewer turns and rounds, so wider intervals; smaller stores in the growth part

The servers run on one core, the load generator on another. The figures go to stdout and to
bench/out/performance.{json,svg}, also those of a run that breaks. A missed target is a result, not a failure of the run.
"""

import argparse
import itertools
import os
import random
import secrets
import signal
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import growth
import install
import load
import machine
import peers
import redis_trips
import report
import servers
import targets

BARE, EMBEDDED, SCALED = "bare axum", "svc-mcp", "svc-mcp, PostgreSQL + Redis"
POSTS = 10  # a page of list_posts


@dataclass
class Scale:
    """How much is measured. The speed of a shared machine changes several times a second: many short turns give a more
    stable median than a few long ones.

    A quick run has the same keys, warm-up, turns and rounds as a full one, only fewer turns and rounds. So both measure
    the same, and the quick run's intervals are wider."""

    keys: int = 100_000
    turns: int = 300  # each of some hundredths of a second
    turn: int = 2_000  # requests
    rounds: int = 11  # at half load
    seconds: int = 3  # long enough for several writes of the service in each round, not one or none
    slow_rounds: int = 7  # of the MCP servers
    slow_seconds: int = 10
    growth_rounds: int = 9
    stored: tuple = (1_000, 100_000, 1_000_000)
    active: int = 100_000


FULL = Scale()
QUICK = Scale(
    turns=60,
    rounds=load.MIN_ROUNDS,
    slow_rounds=load.MIN_ROUNDS,
    slow_seconds=3,
    growth_rounds=load.MIN_ROUNDS,
    stored=(1_000, 20_000, 100_000),
    active=20_000,
)


class Bench:
    def __init__(self, arguments, folder, stack):
        self.folder, self.stack = folder, stack
        self.scale = QUICK if arguments.quick else FULL
        self.binary = arguments.binary
        self.seed, self.random = arguments.seed, random.Random(arguments.seed)
        self.with_peers = not arguments.no_peers
        self.brands = self.scale.keys // 50
        self.only_growth = arguments.only_growth
        empty = {"work": {}, "absent": {}, "peers": [], "load": [], "scale": asdict(self.scale)}
        self.results = report.read() if self.only_growth else empty
        self.results.pop("broken", None)
        self.results.update(machine=machine.description(), seed=self.seed)
        self.contestants = []

    def add(self, contestant):
        """Stops it at the end of the run."""
        self.stack.callback(contestant.stop)
        self.contestants.append(contestant)
        return contestant

    def work(self, name, keys, method, path, body="", is_refused=False, headers=""):
        headers += "Authorization: Bearer {KEY}\r\nHost: localhost\r\n"
        if body:
            headers += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        request = self.folder / f"{name}.request"
        request.write_bytes(f"{method} {path} HTTP/1.1\r\n{headers}\r\n{body}".encode())
        return load.Work(request, self.folder / keys, is_refused)

    def prepare(self):
        """Fills the embedded database and writes the files of keys."""
        print(f"seeding {self.scale.keys:,} keys", flush=True)
        self.data = self.folder / "embedded"
        self.data.mkdir()
        # One key more than the list uses, for the 429s.
        keys = self.scale.keys + 1
        growth.seed(self.data / "svc-mcp.db", keys, self.folder, brands_with_posts=self.brands, clear=keys)
        *self.keys, hammered = (self.folder / "keys.txt").read_text().split()
        (self.folder / "keys.txt").write_text("\n".join(self.keys) + "\n")
        # In the file the 50 keys of a brand follow one another. Here the first key of each brand comes first, so that pages
        # of posts are read in the same order as by the query program.
        by_turns = itertools.chain(*(self.keys[number::50] for number in range(50)))
        (self.folder / "by_turns.txt").write_text("\n".join(by_turns) + "\n")
        (self.folder / "hammered.txt").write_text(hammered + "\n")
        self.describe()

    def describe(self):
        """Writes the requests to send."""
        path, call = "/mcp/v1/tools", "/mcp/v1/tools/call"
        posts = f'{{"name": "list_posts", "arguments": {{"limit": {POSTS}}}}}'
        # The bridge and nearly every HTTP library accept gzip; curl does not.
        self.list = self.work("list", "keys.txt", "GET", path, headers="Accept-Encoding: gzip\r\n")
        self.plain_list = self.work("plain_list", "keys.txt", "GET", path)
        self.get_brand = self.work("get_brand", "keys.txt", "POST", call, '{"name": "get_brand"}')
        self.list_posts = self.work("list_posts", "by_turns.txt", "POST", call, posts)
        self.hammered = self.work("hammered", "hammered.txt", "GET", path, is_refused=True)
        self.malformed = self.work("malformed", "malformed.txt", "GET", path, is_refused=True)
        self.unknown = self.work("unknown", "unknown.txt", "GET", path, is_refused=True)

    def start(self):
        """Starts all servers. The bare ones repeat a response that the service has given."""
        self.embedded = self.add(servers.service(self.binary, EMBEDDED, self.data, {})[0])
        queries = servers.Queries(self.data / "svc-mcp.db", self.brands, POSTS)
        self.query = self.add(servers.query("the query alone", self.folder / "query.log", queries))
        page = self.folder / "list_posts.http"
        self.bare_query = self.add(servers.bare_query("bare axum with the query", page, self.answer("list_posts"), queries))
        postgres, url = servers.postgres(self.folder)
        self.stack.callback(postgres.stop)
        redis, self.redis_port = servers.redis(self.folder)
        self.stack.callback(redis.stop)
        growth.seed(url, self.scale.keys + 1, self.folder, brands_with_posts=self.brands)
        settings = {
            "SVC_DATABASE_URL": url,
            "SVC_REDIS_URL": f"redis://127.0.0.1:{self.redis_port}/",
            "SVC_JWT_SECRET": secrets.token_hex(32),
        }
        data = self.folder / "scaled"
        data.mkdir()
        self.scaled = self.add(servers.service(self.binary, SCALED, data, settings)[0])
        answers = {work: self.answer(work) for work in ("list", "plain_list", "get_brand", "malformed", "hammered")}
        self.bare = {work: self.add(servers.bare(BARE, self.folder / f"{work}.http", answers[work])) for work in answers}
        self.proxies = {
            work: [self.add(start(self.folder, work, self.keys, answers[work])) for start in (servers.nginx, servers.haproxy)]
            for work in ("list", "plain_list")
        }
        self.peers = []
        if self.with_peers:
            self.peers, self.results["absent"] = peers.start(self.folder, answers["plain_list"])
            for peer, _ in self.peers:
                self.add(peer)
                self.results["peers"].append(peer.name)

    def answer(self, name):
        """The bytes of the service's own response to a request."""
        work = getattr(self, name)
        key = work.keys.read_text().split()[0]
        request = work.request.read_bytes().replace(b"{KEY}", key.encode())
        wanted = {"hammered": 429, "malformed": 401}.get(name, 200)
        for _ in range(61):
            answer = servers.exchange(self.embedded.port, request)
            if servers.status_of(answer) == wanted:
                return answer
        raise machine.Broken(f"the status of {name} is {servers.status_of(answer)}, not {wanted}")

    def warm_up(self):
        """Sends every key once, so that the steady state is measured."""
        for contestant in [self.embedded, self.scaled, *self.proxies["list"], *self.proxies["plain_list"]]:
            print(f"warming up {contestant.name}", flush=True)
            self.send_every_key(contestant)
        for contestant in [self.embedded, self.scaled]:
            # And every brand's profile.
            load.exactly(contestant.port, self.get_brand, self.scale.keys, self.scale.keys)

    def send_every_key(self, contestant):
        """A cold service on a busy machine may shed some requests: it gets three tries to accept 99 % of the keys."""
        for _ in range(3):
            result = load.exactly(contestant.port, self.list, self.scale.keys, self.scale.keys)
            wrong = result["refused"] + result["broken"]
            if wrong <= 0.01 * self.scale.keys:
                return
            contestant.settle()
        statuses = ", ".join(f"{count} × {status}" for status, count in result["statuses"].items())
        raise machine.Broken(f"{contestant.name} refuses {wrong} of {self.scale.keys} good keys: {statuses}")

    def compare(self, title, contestants, work, baseline=None, connections=64):
        """In short turns. The ratios are relative to `baseline`, or to the first contestant."""
        print(f"{title}: {self.scale.turns} turns", flush=True)
        # PostgreSQL and Redis need the generator's core while it sleeps.
        awake = self.scaled not in contestants
        turn, turns = self.scale.turn, self.scale.turns
        run = partial(load.alternate, contestants, work, turn, turns, connections, self.random, awake)
        self.measure_one(title, contestants, (baseline or contestants[0]).name, run)

    def compare_by_wrk(self, title, contestants, connections):
        """In rounds of some seconds; each contestant has its own work."""
        seconds, rounds = self.scale.slow_seconds, self.scale.slow_rounds
        entries = {one.name: partial(load.wrk_round, one, work, connections, seconds, self.random) for one, work in contestants}
        run = partial(load.rounds, title, entries, rounds, self.random)
        self.measure_one(title, [one for one, _ in contestants], BARE, run)

    def measure_one(self, title, contestants, baseline, run):
        """Adds the table of the samples that `run` returns. The ratios are relative to the rate of `baseline`."""
        self.results["load"].append(os.getloadavg()[0])
        for contestant in contestants:
            contestant.settle()
        rows = load.medians(run(), baseline)
        for contestant in contestants:
            rows[contestant.name]["resident_bytes"] = contestant.process.resident_bytes()
        self.results["work"][title] = rows

    def measure(self):
        near = [self.bare["list"], self.embedded, *self.proxies["list"]]
        self.compare("List, 64 connections", near, self.list)
        near.append(self.scaled)
        self.compare("List, 1 connection", near, self.list, connections=1)
        if self.peers:
            # Some of them take a second and more for a list.
            peers = [(self.bare["list"], self.list), (self.embedded, self.list), *self.peers]
            self.compare_by_wrk("List by MCP servers, 4 connections", peers, 4)
        plain = [self.bare["plain_list"], self.embedded, *self.proxies["plain_list"]]
        self.compare("List, not packed, 64 connections", plain, self.plain_list)
        bare = self.bare
        more = [
            ("Call of get_brand", [bare["get_brand"]], self.get_brand),
            ("429, one key hammered", [bare["hammered"]], self.hammered),
            ("401, wrong checksum", [bare["malformed"]], self.malformed),
            ("401, right checksum, unknown keys", [bare["malformed"]], self.unknown),
            ("Call of list_posts", [self.query, self.bare_query], self.list_posts),
        ]
        for title, limits, work in more:
            self.compare(title, [*limits, self.embedded], work, baseline=limits[-1])
        for title, _, work in [("List, 64 connections", [bare["list"]], self.list), *more]:
            self.compare(f"{title}: both modes", [self.embedded, self.scaled], work)
        self.half_load()
        self.results["redis"] = redis_trips.measure(self.redis_port, self.scaled, self.list, self.scale.keys)

    def half_load(self):
        """The bare server and the service at one fixed rate: half of the service's maximum."""
        rate = self.results["work"]["List, 64 connections"][EMBEDDED]["rate"] / 2
        entries = {
            one.name: partial(load.rate_round, one, self.list, rate, self.scale.seconds)
            for one in [self.bare["list"], self.embedded]
        }
        title = "List at half load (a fixed rate)"
        samples = load.rounds(title, entries, self.scale.rounds, self.random)
        self.results["work"][title] = load.medians(samples)

    def stop_all(self):
        self.stack.close()
        self.contestants.clear()

    def grow(self):
        scale, keys = self.scale, self.folder / "growth"
        self.results["scale"]["growth_rounds"] = scale.growth_rounds
        keys.mkdir()
        work = load.Work(self.list.request, keys / "keys.txt")
        self.results["growth"] = growth.measure(
            self.binary, keys, work, scale.stored, scale.active, scale.growth_rounds, self.random
        )
        self.results["growth"]["is_alone"] = self.only_growth


def unexpected(results, exempt):
    """Rows with no responses, or with more than 1 % unexpected ones: their figures are worthless. `exempt` are the servers
    of others, whose errors are part of their result."""
    groups = [*results["work"].items(), *results.get("growth", {}).get("throughput", {}).items()]
    for title, rows in groups:
        for name, row in rows.items():
            if name not in exempt and (not row["rate"] or row["unexpected"] > 0.01 * row["requests"] * len(row["rounds"])):
                yield f"{title}: {name}: {row['rate']:.0f} requests/s, {row['unexpected']} unexpected responses"


def write(bench, write_docs=False):
    bench.results["targets"] = targets.evaluate(bench.results)
    report.write(bench.results)
    if write_docs:
        report.write_document(bench.results)


def run(bench, arguments):
    if arguments.only_growth:
        bench.describe()
    else:
        bench.prepare()
        bench.start()
        bench.warm_up()
        bench.measure()
        bench.stop_all()
        write(bench)
    bench.grow()
    write(bench, arguments.write_docs)


def reason_of(error, bench):
    """Why a run broke, with the message of every server that has ended."""
    ended = [one for one in bench.contestants if one.process.has_ended()]
    reasons = [machine.error_in(str(error)) if str(error) else type(error).__name__]
    reasons += [f"{one.name} has ended: {one.process.error()}" for one in ended]
    return "; ".join(reasons)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer turns and rounds: a fraction of the time")
    parser.add_argument("--no-peers", action="store_true", help="without ContextForge and FastMCP")
    parser.add_argument("--only-growth", action="store_true", help="keep all other figures of the last run")
    parser.add_argument("--binary", type=Path, default=install.SERVICE, help="measure this svc-mcp")
    parser.add_argument("--no-build", action="store_true", help="use what was built before")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="for the order of the contestants")
    parser.add_argument("--write-docs", action="store_true", help="write the tables into docs/performance.md")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the servers are stopped
    install.packages()
    if not arguments.no_build:
        install.build(service_too=arguments.binary == install.SERVICE)
    with tempfile.TemporaryDirectory(prefix="svc-mcp-bench-") as folder, ExitStack() as stack:
        Path(folder).chmod(0o755)  # PostgreSQL and nginx run as their own users
        bench = Bench(arguments, Path(folder), stack)
        try:
            run(bench, arguments)
        except (Exception, KeyboardInterrupt) as error:
            bench.results["broken"] = reason_of(error, bench)
            write(bench)
            print(report.as_text(bench.results))
            if isinstance(error, machine.Broken):
                sys.exit(f"the run broke: {bench.results['broken']}")
            raise
    print(report.as_text(bench.results))
    if problems := list(unexpected(bench.results, exempt=bench.results["peers"])):
        sys.exit("\n".join(["the run broke:", *problems]))


if __name__ == "__main__":
    try:
        main()
    except machine.Broken as error:
        sys.exit(f"the run broke: {error}")
