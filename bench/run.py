"""How fast svc-mcp is, beside the limit (a bare server) and its peers, everything in one run.

    python3 bench/run.py            # all of it, forty minutes on an otherwise idle machine
    python3 bench/run.py --quick    # the same steps with little data, to see that they work

The service and its peers run on one core, the load generator on another. The figures go to stdout and to
bench/out/performance.{json,svg}. A target that is missed is a result, not a failure of the run.
"""

import argparse
import itertools
import os
import random
import secrets
import subprocess
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
    """How much of everything. A neighbour of this machine may slow it down several times a second: many short turns give
    a firmer median than a few long ones."""

    keys: int = 100_000
    turns: int = 300  # of all contestants with 64 connections, each of some hundredths of a second
    turn: int = 2_000
    rounds: int = 11  # of the rest
    seconds: int = 1
    slow_rounds: int = 5  # of what takes long: the MCP servers
    slow_seconds: int = 10
    growth_rounds: int = 9
    stored: tuple = (1_000, 100_000, 1_000_000)
    active: int = 100_000


FULL = Scale()
QUICK = Scale(
    keys=20_000,
    turns=20,
    rounds=2,
    slow_rounds=2,
    slow_seconds=3,
    growth_rounds=2,
    stored=(1_000, 5_000, 20_000),
    active=5_000,
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
        begun = {"work": {}, "absent": {}, "peers": [], "scale": asdict(self.scale)}
        self.results = report.read() if self.only_growth else begun
        self.load = []  # of the whole machine, as each piece of work begins: one at least is ours

    def keep(self, contestant):
        self.stack.callback(contestant.stop)
        return contestant

    def work(self, name, keys, method, path, body="", is_refused=False, headers=""):
        headers += "Authorization: Bearer {KEY}\r\nHost: localhost\r\n"
        if body:
            headers += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        request = self.folder / f"{name}.request"
        request.write_bytes(f"{method} {path} HTTP/1.1\r\n{headers}\r\n{body}".encode())
        return load.Work(request, self.folder / keys, is_refused)

    def prepare(self):
        """Databases and files of keys."""
        print(f"seeding {self.scale.keys:,} keys", flush=True)
        self.data = self.folder / "embedded"
        self.data.mkdir()
        # One key more than the list uses: the one to be hammered.
        keys = self.scale.keys + 1
        growth.seed(self.data / "svc-mcp.db", keys, self.folder, brands_with_posts=self.brands, clear=keys)
        *self.keys, hammered = (self.folder / "keys.txt").read_text().split()
        (self.folder / "keys.txt").write_text("\n".join(self.keys) + "\n")
        # 50 keys of each brand follow one another. Here each brand's first come first, so that the pages of posts are asked
        # for in the order in which the query alone asks for them.
        by_turns = itertools.chain(*(self.keys[number::50] for number in range(50)))
        (self.folder / "by_turns.txt").write_text("\n".join(by_turns) + "\n")
        (self.folder / "hammered.txt").write_text(hammered + "\n")
        self.describe()

    def describe(self):
        """The pieces of work."""
        path, call = "/mcp/v1/tools", "/mcp/v1/tools/call"
        posts = f'{{"name": "list_posts", "arguments": {{"limit": {POSTS}}}}}'
        # As the bridge and nearly every HTTP library ask for it, and as curl does.
        self.list = self.work("list", "keys.txt", "GET", path, headers="Accept-Encoding: gzip\r\n")
        self.plain_list = self.work("plain_list", "keys.txt", "GET", path)
        self.get_brand = self.work("get_brand", "keys.txt", "POST", call, '{"name": "get_brand"}')
        self.list_posts = self.work("list_posts", "by_turns.txt", "POST", call, posts)
        self.hammered = self.work("hammered", "hammered.txt", "GET", path, is_refused=True)
        self.malformed = self.work("malformed", "malformed.txt", "GET", path, is_refused=True)
        self.unknown = self.work("unknown", "unknown.txt", "GET", path, is_refused=True)

    def start(self):
        """Everything that answers requests, and what the bare servers are to repeat."""
        self.embedded = self.keep(servers.service(self.binary, EMBEDDED, self.data, {})[0])
        queries = servers.Queries(self.data / "svc-mcp.db", self.brands, POSTS)
        self.query = self.keep(servers.query("the query alone", self.folder / "query.log", queries))
        page = self.folder / "list_posts.http"
        self.bare_query = self.keep(servers.bare_query("bare axum with the query", page, self.answer("list_posts"), queries))
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
        self.scaled = self.keep(servers.service(self.binary, SCALED, data, settings)[0])
        answers = {work: self.answer(work) for work in ("list", "plain_list", "get_brand", "malformed", "hammered")}
        self.bare = {work: self.keep(servers.bare(BARE, self.folder / f"{work}.http", answers[work])) for work in answers}
        self.proxies = {
            work: [self.keep(start(self.folder, work, self.keys, answers[work])) for start in (servers.nginx, servers.haproxy)]
            for work in ("list", "plain_list")
        }
        self.peers = []
        if self.with_peers:
            self.peers, self.results["absent"] = peers.start(self.folder, answers["plain_list"])
            for peer, _ in self.peers:
                self.keep(peer)
                self.results["peers"].append(peer.name)

    def answer(self, name):
        """The service's own answer to a piece of work, as it comes from the wire."""
        work = getattr(self, name)
        key = work.keys.read_text().split()[0]
        request = work.request.read_bytes().replace(b"{KEY}", key.encode())
        wanted = {"hammered": 429, "malformed": 401}.get(name, 200)
        for _ in range(61):
            answer = servers.exchange(self.embedded.port, request)
            if servers.status_of(answer) == wanted:
                return answer
        raise machine.Broken(f"{name} is answered with {servers.status_of(answer)}, not {wanted}")

    def warm_up(self):
        """Every key once, so that what is measured is the steady state."""
        for contestant in [self.embedded, self.scaled, *self.proxies["list"], *self.proxies["plain_list"]]:
            print(f"warming up {contestant.name}", flush=True)
            result = load.exactly(contestant.port, self.list, self.scale.keys, self.scale.keys)
            # A cold store on a busy machine may shed a few; whoever refuses more is not what is to be measured.
            if result["refused"] > 0.01 * self.scale.keys:
                raise machine.Broken(f"{contestant.name} refuses {result['refused']} of {self.scale.keys} good keys")
        for contestant in [self.embedded, self.scaled]:
            # And every brand's profile.
            load.exactly(contestant.port, self.get_brand, self.scale.keys, self.scale.keys)

    def compare(self, title, contestants, work):
        """With 64 connections, in short turns."""
        print(f"{title}: {self.scale.turns} turns", flush=True)
        # PostgreSQL and Redis have the generator's core when it sleeps.
        awake = self.scaled not in contestants
        run = partial(load.alternately, contestants, work, self.scale.turn, self.scale.turns, self.random, awake)
        self.hold(title, contestants, contestants[0].name, run)

    def compare_by_wrk(self, title, contestants, connections, seconds=None, rounds=None):
        """In rounds of a second or more; each contestant has its own work."""
        seconds, rounds = seconds or self.scale.seconds, rounds or self.scale.rounds
        entries = {one.name: partial(load.round_of, one, work, connections, seconds, self.random) for one, work in contestants}
        run = partial(load.rounds, title, entries, rounds, self.random)
        self.hold(title, [one for one, _ in contestants], BARE, run)

    def hold(self, title, contestants, limit, run):
        """Holds the contestants against each other by the samples that `run` gives; `limit` is whose rate the ratios are
        against."""
        self.load.append(os.getloadavg()[0])
        for contestant in contestants:
            contestant.settle()
        rows = load.medians(run(), limit)
        for contestant in contestants:
            rows[contestant.name]["resident_bytes"] = contestant.process.resident_bytes()
        self.results["work"][title] = rows

    def measure(self):
        near = [self.bare["list"], self.embedded, *self.proxies["list"]]
        self.compare("List, 64 connections", near, self.list)
        near.append(self.scaled)
        self.compare_by_wrk("List, 1 connection", [(one, self.list) for one in near], 1)
        if self.peers:
            # A list takes some of them a second and more.
            peers = [(self.bare["list"], self.list), (self.embedded, self.list), *self.peers]
            slow = {"seconds": self.scale.slow_seconds, "rounds": self.scale.slow_rounds}
            self.compare_by_wrk("List by MCP servers, 4 connections", peers, 4, **slow)
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
            self.compare(title, [*limits, self.embedded], work)
        for title, _, work in [("List, 64 connections", [bare["list"]], self.list), *more]:
            self.compare(f"{title}: both modes", [self.embedded, self.scaled], work)
        self.half_load()
        self.results.update(machine=machine.description(), seed=self.seed, load=self.load)
        self.results["redis"] = redis_trips.measure(self.redis_port, self.scaled, self.list, self.scale.keys)

    def half_load(self):
        """Both at one fixed rate: half of what the service can do."""
        title = "List, 64 connections"
        rate = self.results["work"][title][EMBEDDED]["rate"] / 2
        requests = int(rate * self.scale.seconds)
        entries = {
            one.name: lambda one=one: load.measured(
                one, self.list, lambda: load.exactly(one.port, self.list, requests, self.scale.keys, rate=rate)
            )
            for one in [self.bare["list"], self.embedded]
        }
        title = "List at half load (a fixed rate)"
        samples = load.rounds(title, entries, self.scale.rounds, self.random)
        self.results["work"][title] = load.medians(samples)

    def stop_all(self):
        self.stack.close()

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
    """Who gave nothing, or more than one answer in a hundred that is not what it should be. What a peer from elsewhere
    does is its own business; of all others it makes the figures worthless."""
    groups = [*results["work"].items(), *results["growth"]["throughput"].items()]
    for title, rows in groups:
        for name, row in rows.items():
            if name not in exempt and (not row["rate"] or row["unexpected"] > 0.01 * row["requests"] * len(row["rounds"])):
                yield f"{title}: {name}: {row['rate']:.0f} requests/s, {row['unexpected']} unexpected answers"


def conclude(bench, arguments):
    """What is known so far, written down: the long part behind it may be interrupted."""
    results = bench.results
    results["targets"] = targets.of(results)
    report.write(results)
    if arguments.write_docs:
        report.write_document(results)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="little data and few rounds: shows that it works")
    parser.add_argument("--no-peers", action="store_true", help="without ContextForge and FastMCP")
    parser.add_argument("--only-growth", action="store_true", help="all else stays as the last run has written it")
    parser.add_argument("--binary", type=Path, default=install.SERVICE, help="measure this svc-mcp")
    parser.add_argument("--no-build", action="store_true", help="use what was built before")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="for the order of the contestants")
    parser.add_argument("--write-docs", action="store_true", help="put the tables into docs/performance.md")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    try:
        install.packages()
        if not arguments.no_build:
            install.build(service_too=arguments.binary == install.SERVICE)
        with tempfile.TemporaryDirectory(prefix="svc-mcp-bench-") as folder, ExitStack() as stack:
            Path(folder).chmod(0o755)  # PostgreSQL and nginx run as users of their own
            bench = Bench(arguments, Path(folder), stack)
            if arguments.only_growth:
                bench.describe()
            else:
                bench.prepare()
                bench.start()
                bench.warm_up()
                bench.measure()
                bench.stop_all()
                conclude(bench, arguments)
            bench.grow()
    except (machine.Broken, subprocess.CalledProcessError) as error:
        sys.exit(f"the run broke: {error}")
    results = conclude(bench, arguments)
    print(report.as_text(results))
    if faults := list(unexpected(results, exempt=results["peers"])):
        sys.exit("\n".join(["the run broke:", *faults]))


main()
