"""Writes the figures as text, as JSON, as a chart and into docs/performance.md."""

import html
import json
from pathlib import Path

from machine import Broken

REPOSITORY = Path(__file__).resolve().parents[1]
OUT = REPOSITORY / "bench" / "out"
DOCUMENT = REPOSITORY / "docs" / "performance.md"
BEGIN, END = "<!-- measured: written by bench/run.py --write-docs -->", "<!-- end of measured -->"

COLUMNS = ["ratio", "95 % interval", "requests/s", "p50 ms", "p99 ms", "CPU µs/request", "core busy", "memory MB", "unexpected"]
TARGET_COLUMNS = ["required", "measured", "95 % interval", ""]


def interval(between):
    return f"{between[0]:.2f}–{between[1]:.2f}" if between else "–"


def cells(row):
    memory = row.get("resident_bytes")
    return [
        "–" if row["ratio"] is None else f"{row['ratio']:.2f}",
        interval(row["between"]),
        f"{row['rate']:,.0f}",
        f"{row['p50_us'] / 1000:.2f}",
        f"{row['p99_us'] / 1000:.2f}",
        f"{row['cpu_us']:.1f}",
        f"{row['core_busy']:.0%}",
        f"{memory / 1e6:.0f}" if memory else "–",
        f"{row['unexpected']:,}",
    ]


def tables(results):
    """(title, first column's heading, [(name, cells)]) of every measurement."""
    for work, rows in results["work"].items():
        yield work, "contestant", [(name, cells(row)) for name, row in rows.items()]
    for title, rows in results.get("growth", {}).get("throughput", {}).items():
        yield title, "keys", [(name, cells(row)) for name, row in rows.items()]


def verdict(target):
    value, bound = target["value"], target["bound"]
    if value is None:
        return "not measured"
    reached = value >= bound if target["sense"] == ">=" else value <= bound
    return "reached" if reached else "missed"


def target_cells(target):
    value = "–" if target["value"] is None else f"{target['value']:.3g}{target['unit']}"
    return [f"{target['sense']} {target['bound']:g}{target['unit']}", value, interval(target["between"]), verdict(target)]


def as_text(results):
    lines = []
    for title, head, rows in tables(results):
        width = max(len(name) for name, _ in rows) + 2
        lines += ["", title, head.ljust(width) + "".join(column.rjust(16) for column in COLUMNS)]
        lines += [name.ljust(width) + "".join(cell.rjust(16) for cell in row) for name, row in rows]
    lines += [""] + [f"{name}: not measured: {reason}" for name, reason in results["absent"].items()]
    if results.get("broken"):
        lines.append(f"The run broke, so this is not everything: {results['broken']}")
    width = max(len(target["what"]) for target in results["targets"]) + 2
    lines += ["", "target".ljust(width) + "".join(head.rjust(14) for head in TARGET_COLUMNS)]
    for target in results["targets"]:
        lines.append(target["what"].ljust(width) + "".join(cell.rjust(14) for cell in target_cells(target)))
    return "\n".join(lines)


def markdown_table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows)]


def as_markdown(results):
    machine, scale, growth = results["machine"], results["scale"], results.get("growth", {})
    alone = ", in a separate run" if growth.get("is_alone") else ""
    lines = [
        f"Measured on {machine['date']}: {machine['processor']}, {machine['cores']} cores, Linux {machine['kernel']}; "
        f"{scale['turns']} turns of {scale['turn']:,} requests, {scale['rounds']} rounds of {scale['seconds']} s at half load, "
        f"{scale['slow_rounds']} of {scale['slow_seconds']} s for the MCP servers, {scale['growth_rounds']} for growth{alone}; "
        f"seed {results['seed']}; the machine's load average was "
        f"{min(results['load']):.1f} to {max(results['load']):.1f} (the run itself makes about 2).",
        "",
    ]
    targets = [[target["what"], *target_cells(target)] for target in results["targets"]]
    lines += markdown_table(["target", *TARGET_COLUMNS], targets)
    for title, head, rows in tables(results):
        lines += ["", f"### {title}", "", *markdown_table([head, *COLUMNS], [[name, *row] for name, row in rows])]
    lines += [f"\n{name} was not measured: {reason}" for name, reason in results["absent"].items()]
    return "\n".join(lines)


def write_document(results):
    text = DOCUMENT.read_text()
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    DOCUMENT.write_text(f"{before}{BEGIN}\n\n{as_markdown(results)}\n\n{END}{after}")


def as_svg(results):
    """Bars of each contestant's rate, relative to the baseline of its table."""
    bars, y = [], 40
    for title, rows in results["work"].items():
        shown = [(name, row) for name, row in rows.items() if row["ratio"] is not None]
        if not shown:
            continue
        bars.append(f'<text x="10" y="{y + 14}" font-weight="bold">{html.escape(title)}</text>')
        y += 24
        for name, row in shown:
            width = max(1, round(400 * min(row["ratio"], 1.5)))
            colour = "#1f6feb" if name.startswith("svc-mcp") else "#9aa4b2"
            label = f"{row['ratio']:.2f} – {row['rate']:,.0f}/s"
            bars.append(
                f'<text x="230" y="{y + 13}" text-anchor="end">{html.escape(name)}</text>'
                f'<rect x="240" y="{y}" width="{width}" height="17" fill="{colour}"/>'
                f'<text x="{246 + width}" y="{y + 13}">{label}</text>'
            )
            y += 22
        y += 12
    heading = f"Requests per second, relative to the first row or the bare server · {results['machine']['date']}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="{y}" font-family="sans-serif" font-size="13">'
        f'<rect width="1000" height="{y}" fill="white"/><text x="10" y="22" font-size="15">{heading}</text>'
        f"{''.join(bars)}</svg>\n"
    )


def read():
    """The figures of the last run."""
    try:
        results = json.loads((OUT / "performance.json").read_text())
        if not all("p99_rounds" in row for rows in results["work"].values() for row in rows.values()):
            raise Broken("the figures of the last run are in an older format: run without --only-growth")
        return results
    except FileNotFoundError:
        raise Broken("there are no figures of an earlier run: run without --only-growth") from None


def write(results):
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "performance.json").write_text(json.dumps(results, indent=1) + "\n")
    (OUT / "performance.svg").write_text(as_svg(results))
