"""Compares the audit's crawl with Scrapy's: pages per second, on the same site in the same run.

Both crawl a local site of 1,000 pages with the same concurrency and no delay, obey robots.txt, and write title,
description, links and headings of each page to a file. The audit also runs all of its checks. Rounds alternate, so that
other load on the machine affects both; the result is the medians. The run fails if the two files differ.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OUT = ROOT / "bench" / "out" / "crawl"
PEER = ROOT / "target" / "bench-scrapy"
MIN_SPEEDUP, MAX_MEMORY_KB = 3, 200 * 1024


def prepare():
    OUT.mkdir(parents=True, exist_ok=True)
    python = PEER / "bin" / "python"
    if not python.exists():
        venv.create(PEER, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "-q", "-r", HERE / "requirements.txt"], check=True)
    cargo = os.environ.get("CARGO", "cargo")
    build = [cargo, "build", "--release", "--locked", "-p", "svc-mcp-tools"]
    subprocess.run([*build, "--example", "crawl", "--example", "crawl_site"], cwd=ROOT, check=True)
    return python


def measured(command):
    """The program's own results, and the CPU time that the system counted."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} ended with {process.returncode}")
    result = json.loads(output.strip().splitlines()[-1])
    result["cpu_seconds"] = usage.ru_utime + usage.ru_stime
    return result


def read_pages(file):
    with open(file) as lines:
        pages = [json.loads(line) for line in lines]
    return {page["url"]: {**page, "links": sorted(page["links"])} for page in pages}


def check_same(ours, peers):
    if ours.keys() != peers.keys():
        sys.exit(f"not the same pages: {sorted(ours.keys() ^ peers.keys())[:5]}")
    for url, page in ours.items():
        for field, value in page.items():
            if value != peers[url][field]:
                sys.exit(f"{url}: {field} differs: {value!r} and {peers[url][field]!r}")


def median(rounds, field):
    return statistics.median(each[field] for each in rounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--concurrency", type=int, default=8)
    options = parser.parse_args()
    python = prepare()
    examples = ROOT / "target" / "release" / "examples"
    site = subprocess.Popen(
        [examples / "crawl_site", str(options.pages)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        address = site.stdout.readline().strip()
        contestants = {
            "svc-mcp": [str(examples / "crawl")],
            "Scrapy": [str(python), str(HERE / "spider.py")],
        }
        rounds = {name: [] for name in contestants}
        for number in range(options.rounds):
            # The order changes from round to round.
            for name in sorted(contestants, reverse=number % 2 == 1):
                file = OUT / f"{name}.jsonl"
                result = measured([*contestants[name], address, str(options.concurrency), str(file)])
                result["pages_per_second"] = result["pages"] / result["seconds"]
                rounds[name].append(result)
                print(f"round {number + 1} {name:8} {result['pages']} pages, {result['pages_per_second']:7.0f}/s", flush=True)
            check_same(read_pages(OUT / "svc-mcp.jsonl"), read_pages(OUT / "Scrapy.jsonl"))
    finally:
        site.stdin.close()
        site.wait()
    (OUT / "rounds.json").write_text(json.dumps(rounds, indent=1))

    print(f"\n{options.pages} pages, {options.concurrency} requests at a time, medians of {options.rounds} rounds")
    print(f"{'':10} {'pages/s':>9} {'seconds':>9} {'CPU s':>9} {'peak MB':>9}")
    for name, results in rounds.items():
        print(
            f"{name:10} {median(results, 'pages_per_second'):9.0f} {median(results, 'seconds'):9.2f}"
            f" {median(results, 'cpu_seconds'):9.2f} {median(results, 'peak_memory_kb') / 1024:9.0f}"
        )
    ours, peers = rounds["svc-mcp"], rounds["Scrapy"]
    times = median(ours, "pages_per_second") / median(peers, "pages_per_second")
    pairs = [a["pages_per_second"] / b["pages_per_second"] for a, b in zip(ours, peers, strict=True)]
    print(f"{times:.1f} times as many pages a second (in the rounds: {min(pairs):.1f} to {max(pairs):.1f})")
    memory = max(each["peak_memory_kb"] for each in ours)
    if times < MIN_SPEEDUP or memory > MAX_MEMORY_KB:
        sys.exit(f"required: {MIN_SPEEDUP} times as many, in at most {MAX_MEMORY_KB // 1024} MB")


if __name__ == "__main__":
    main()
