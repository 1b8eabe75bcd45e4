"""What the service must reach, and what it has reached."""

from load import compare


def evaluate(results):
    """One row for each target. A value that was not measured is None."""
    work, growth, redis = results["work"], results.get("growth", {}), results.get("redis", {})
    bare, embedded, scaled = "bare axum", "svc-mcp", "svc-mcp, PostgreSQL + Redis"
    many, one, half = "List, 64 connections", "List, 1 connection", "List at half load (a fixed rate)"
    both = "List, 64 connections: both modes"
    large, small = (f"{size:,}" for size in (growth.get("sizes") or (1_000, 100_000, 1_000_000))[::-2])

    def against(title, other=bare, mine=embedded, figure="rounds"):
        return compare(work[title], mine, other, figure) if title in work else (None, None)

    def single(value):
        return value, None

    idle = growth["idle_bytes"] / 1e6 if growth else None
    rows = [
        ("list / bare server, 64 connections", ">=", 0.9, "", against(many)),
        ("list / bare server, 1 connection", ">=", 0.9, "", against(one)),
        ("list / nginx, 64 connections", ">=", 1, "", against(many, "nginx")),
        ("list / HAProxy, 64 connections", ">=", 1, "", against(many, "HAProxy")),
        ("get_brand / bare server", ">=", 0.5, "", against("Call of get_brand")),
        ("list_posts / bare server with its query", ">=", 0.8, "", against("Call of list_posts", "bare axum with the query")),
        ("429 / bare server", ">=", 0.9, "", against("429, one key hammered")),
        ("401 wrong checksum / bare server", ">=", 0.9, "", against("401, wrong checksum")),
        ("401 unknown key / bare server", ">=", 0.9, "", against("401, right checksum, unknown keys")),
        ("PostgreSQL + Redis / embedded, list", ">=", 0.5, "", against(both, embedded, scaled)),
        ("Redis scripts a request", "<=", 1.01, "", single(redis.get("scripts_per_request"))),
        ("Redis reads a request (pipelined: below 1)", "<=", 0.99, "", single(redis.get("reads_per_request"))),
        (f"{large} / {small} stored keys, 1,000 active", ">=", 0.95, "", growth.get("large_to_small_few_active", (None, None))),
        (f"{large} / {small} stored keys, many active", ">=", 0.95, "", growth.get("large_to_small_many_active", (None, None))),
        ("memory of an active key", "<=", 400, " B", single(growth.get("bytes_per_active_key"))),
        (f"ready with {large} keys", "<=", 1, " s", single(growth.get("start_seconds"))),
        ("idle memory", "<=", 25, " MB", single(idle)),
        ("p99 at half load / bare server", "<=", 3, "", against(half, figure="p99_rounds")),
        ("uses written or reported as lost / answered", ">=", 1, "", single(growth.get("uses_accounted"))),
    ]
    names = ("what", "sense", "bound", "unit", "value", "between")
    return [dict(zip(names, (*row, *measured), strict=True)) for *row, measured in rows]
