"""What the service must reach, and what it has reached."""

from load import ratio


def of(results):
    work, growth, redis = results["work"], results.get("growth", {}), results["redis"]
    bare, embedded, scaled = "bare axum", "svc-mcp", "svc-mcp, PostgreSQL + Redis"
    many, one, half = "List, 64 connections", "List, 1 connection", "List at half load (a fixed rate)"
    both = "List, 64 connections: both modes"

    def against(title, other=bare, mine=embedded):
        return ratio(work[title], mine, other)

    rows = [
        ("list / bare server, 64 connections", ">=", 0.9, "", against(many)),
        ("list / bare server, 1 connection", ">=", 0.9, "", against(one)),
        ("list / nginx, 64 connections", ">=", 1, "", against(many, "nginx")),
        ("list / HAProxy, 64 connections", ">=", 1, "", against(many, "HAProxy")),
        ("get_brand / bare server", ">=", 0.5, "", against("Call of get_brand")),
        ("list_posts / its query alone", ">=", 0.8, "", against("Call of list_posts", "the query alone")),
        ("429 / bare server", ">=", 0.9, "", against("429, one key hammered")),
        ("401 wrong checksum / bare server", ">=", 0.9, "", against("401, wrong checksum")),
        ("401 unknown key / bare server", ">=", 0.9, "", against("401, right checksum, unknown keys")),
        ("PostgreSQL + Redis / embedded, list", ">=", 0.5, "", against(both, embedded, scaled)),
        ("Redis scripts a request", "<=", 1.01, "", redis["scripts_per_request"]),
        ("Redis reads a request (pipelined: below 1)", "<=", 0.99, "", redis["reads_per_request"]),
        ("1 million / 1 thousand stored, 1,000 active", ">=", 0.95, "", growth.get("large_to_small_few_active")),
        ("1 million / 1 thousand stored, many active", ">=", 0.95, "", growth.get("large_to_small_many_active")),
        ("memory of an active key", "<=", 400, " B", growth.get("bytes_per_active_key")),
        ("ready with 1 million keys", "<=", 1, " s", growth.get("start_seconds")),
        ("idle memory", "<=", 25, " MB", growth["idle_bytes"] / 1e6 if growth else None),
        ("p99 at half load / bare server", "<=", 3, "", work[half][embedded]["p99_us"] / work[half][bare]["p99_us"]),
        ("uses written or told as lost / answered", ">=", 1, "", growth.get("uses_accounted")),
    ]
    return [dict(zip(("what", "sense", "bound", "unit", "value"), row, strict=True)) for row in rows]
