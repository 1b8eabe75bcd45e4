"""Runs the reference implementations and writes their results to golden/.

    python3 -m venv /tmp/oracle && /tmp/oracle/bin/pip install protego==0.7.0 ultimate-sitemap-parser==1.8.1
    /tmp/oracle/bin/python -B crates/tools/tests/audit/oracle.py

The files are the same on every run, because the random source has a fixed seed. `robots_google.json` is not generated:
it is the test list of google/robotstxt, copied by hand.
"""

import json
import logging
from pathlib import Path

from oracle_robots import robots_cases, robots_differences
from oracle_sitemaps import sitemap_differences, sitemap_sets

GOLDEN = Path(__file__).parent / "golden"


def write(name: str, content: dict[str, list]) -> None:
    """Writes one list item per line, so that a changed result changes one line."""

    def rows(values: list) -> str:
        return "[\n" + ",\n".join(json.dumps(value, ensure_ascii=False) for value in values) + "\n]"

    parts = [f"{json.dumps(key)}: {rows(values)}" for key, values in content.items()]
    (GOLDEN / name).write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def main() -> None:
    logging.disable(logging.CRITICAL)
    write("robots_protego.json", {"cases": robots_cases(300, 8), "differences": robots_differences()})
    write("sitemaps_usp.json", {"sets": sitemap_sets(), "differences": sitemap_differences()})


if __name__ == "__main__":
    main()
