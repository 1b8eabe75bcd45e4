"""Generates robots.txt files and records the decisions of protego."""

import random

from protego import Protego

ORIGIN = "https://example.com"

AGENTS = ["FooBot", "BarBot", "BazBot", "news-bot", "Image_Bot"]
STRANGER = "QuxBot"
SEGMENTS = [
    "a",
    "b",
    "ab",
    "shop",
    "private",
    "Shop",
    "x.html",
    "y.php",
    "index.html",
    "ü",
    "%C3%BC",
    "%c3%bc",
    "~jo",
    "%7Ejo",
    "a%2Fb",
    "item-1",
    "_old",
]
QUERIES = ["", "", "", "?id=1", "?id=2", "?a=b", "?print"]


def pattern(rng: random.Random, queries: bool) -> str:
    parts = []
    for _ in range(rng.randint(0, 3)):
        segment = rng.choice(SEGMENTS)
        match rng.randint(0, 9):
            case 0:
                segment = "*"
            case 1:
                segment = "*" + segment
            case 2:
                segment = segment[: max(1, len(segment) // 2)] if "%" not in segment else segment
                segment += "*"
        parts.append(segment)
    path = "/" + "/".join(parts)
    if rng.random() < 0.25 and parts:
        path += "/"
    if queries and rng.random() < 0.5:
        path += rng.choice(["?id=1", "?id=", "?*print", "*?", "?"])
    if rng.random() < 0.15:
        path += "$"
    return path


def address(rng: random.Random, patterns: list[str]) -> str:
    if patterns and rng.random() < 0.6:
        path = rng.choice(patterns).rstrip("$")
        path = "".join(rng.choice(["", "a", "shop", "x/y"]) if c == "*" else c for c in path)
    else:
        path = "/" + "/".join(rng.choice(SEGMENTS) for _ in range(rng.randint(0, 3)))
    path += rng.choice(["", "", "", "/", "/deeper", "x"])
    return ORIGIN + path + rng.choice(QUERIES)


def robots_file(rng: random.Random) -> tuple[str, list[str]]:
    lines, patterns = [], []
    # Patterns with a query are only disallowed: the two count the length of `?` differently (see DIFFERENCES).
    queries = rng.random() < 0.25
    keys = ["Disallow", "disallow", "DISALLOW", "Disalow", "Dissallow"] + (
        [] if queries else ["Allow", "allow", "ALLOW"]
    )

    def noise() -> None:
        if rng.random() < 0.2:
            lines.append(rng.choice(["", "# a note", "   ", "\t# two"]))

    if rng.random() < 0.1:
        lines.append("Disallow: /nobody")
    for _ in range(rng.randint(1, 4)):
        for agent in rng.sample(AGENTS + ["*", "*"], rng.randint(1, 2)):
            spelling = rng.choice([agent, agent.lower(), agent.upper()])
            lines.append(rng.choice(["User-agent: ", "user-agent:", "User-Agent : ", "useragent: "]) + spelling)
            noise()
            if rng.random() < 0.1:
                lines.append(f"Sitemap: {ORIGIN}/s{rng.randint(1, 3)}.xml")
        for _ in range(rng.randint(0, 5)):
            rule = "" if rng.random() < 0.08 else pattern(rng, queries)
            patterns += [rule] if rule else []
            key = rng.choice(keys)
            separator = rng.choice([": ", ": ", ":", " : ", ":\t"])
            comment = rng.choice(["", "", "", " # why", "#why"])
            lines.append(f"{key}{separator}{rule}{comment}")
            noise()
        # A delay comes only after a rule: before one, the two end a group at different places (see DIFFERENCES).
        if lines[-1].lower().startswith(("allow", "dis")) and rng.random() < 0.3:
            lines.append(rng.choice(["Crawl-delay: ", "crawl-delay:"]) + rng.choice(["1", "0.5", "10", "x", "-1"]))
    end = rng.choice(["\n", "\n", "\r\n", "\r"])
    return end.join(lines) + rng.choice(["", end]), patterns


def robots_cases(files: int, asks: int) -> list[dict]:
    rng = random.Random(9309)
    cases = []
    for _ in range(files):
        text, patterns = robots_file(rng)
        oracle = Protego.parse(text)
        agents = [*AGENTS, STRANGER]
        cases.append(
            {
                "robots": text,
                "sitemaps": list(dict.fromkeys(oracle.sitemaps)),
                "delays": {agent: oracle.crawl_delay(agent) for agent in agents},
                "asks": [
                    [agent, url, oracle.can_fetch(url, agent)]
                    for agent, url in ((rng.choice(agents), address(rng, patterns)) for _ in range(asks))
                ],
            }
        )
    return cases


DIFFERENCES = [
    (
        "An unknown line does not end the list of agents (RFC 9309 §2.2.4 and google/robotstxt).",
        "User-agent: FooBot\nNoindex: /x\nUser-agent: *\nDisallow: /\n",
        "FooBot",
        "/",
        False,
    ),
    (
        "RFC 9309 does not define `Crawl-delay`, so it does not end the list of agents either.",
        "User-agent: FooBot\nCrawl-delay: 1\nUser-agent: BarBot\nDisallow: /\n",
        "FooBot",
        "/",
        False,
    ),
    (
        "A product token must match completely (RFC 9309 §2.2.1). protego also matches the beginning of a longer one.",
        "User-agent: Foo\nDisallow: /\n",
        "Foo-News",
        "/",
        True,
    ),
    (
        "An agent's value ends at its first other character, as in google/robotstxt.",
        "User-agent: FooBot/2.1\nDisallow: /\n",
        "FooBot",
        "/",
        False,
    ),
    (
        "An agent's value ends at its first space, as in google/robotstxt.",
        "User-agent: Foo Bar\nDisallow: /\n",
        "Foo",
        "/",
        False,
    ),
    (
        "`*` followed by other text is still the group for all agents, as in google/robotstxt.",
        "User-agent: * everyone\nDisallow: /\n",
        "FooBot",
        "/",
        False,
    ),
    (
        "`*` in an agent's name is not a wildcard (RFC 9309 §2.2.1): `Bot*` means `Bot`, and `*Bot` means no agent.",
        "User-agent: *Bot\nDisallow: /\n",
        "Bot",
        "/",
        True,
    ),
    (
        "A reserved character and its escape are different (RFC 9309 §2.2.2, RFC 3986 §2.2).",
        "User-agent: *\nDisallow: /a%3Fb\n",
        "FooBot",
        "/a?b",
        True,
    ),
    (
        "A reserved character and its escape are different in the URL too.",
        "User-agent: *\nDisallow: /a&b\n",
        "FooBot",
        "/a%26b",
        True,
    ),
    (
        "The longest rule is the one with the most octets as written. protego counts `?` as three octets (`%3F`).",
        "User-agent: *\nAllow: /a?b=\nDisallow: /a*b=1$\n",
        "FooBot",
        "/a?b=1",
        False,
    ),
    (
        "A final `$` in a rule matches only the end of the URL. protego also matches a literal `$`.",
        "User-agent: *\nDisallow: /a$\n",
        "FooBot",
        "/a$",
        True,
    ),
    (
        "A line without a colon must have exactly two words, as in google/robotstxt. Otherwise it is prose.",
        "User-agent: *\nDisallow /a b\n",
        "FooBot",
        "/a%20b",
        True,
    ),
    (
        "Allowing `index.htm` also allows the folder, as in google/robotstxt. protego accepts only `index.html`.",
        "User-agent: *\nDisallow: /\nAllow: /a/index.htm\n",
        "FooBot",
        "/a/",
        True,
    ),
    (
        "A line ends only with CR or LF. Python also ends it at a form feed or a line separator.",
        "User-agent: *\nDisallow: /a\u2028Disallow: /b\n",
        "FooBot",
        "/b",
        True,
    ),
]


def robots_differences() -> list[dict]:
    rows = []
    for why, robots, agent, path, ours in DIFFERENCES:
        theirs = Protego.parse(robots).can_fetch(ORIGIN + path, agent)
        assert theirs != ours, f"no difference any more: {why}"
        rows.append(
            {"why": why, "robots": robots, "agent": agent, "url": ORIGIN + path, "protego": theirs, "ours": ours}
        )
    return rows
