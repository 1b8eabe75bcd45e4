"""Sitemaps in all formats, and the pages that ultimate-sitemap-parser (usp) reads from them."""

import base64
import gzip

from usp.fetch_parse import SitemapFetcher
from usp.objects.sitemap import InvalidSitemap
from usp.web_client.abstract_client import AbstractWebClient, AbstractWebClientSuccessResponse, WebClientErrorResponse

ORIGIN = "https://example.com"

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def urlset(*entries: str, attributes: str = NS) -> str:
    return f"{HEAD}<urlset {attributes}>" + "".join(f"<url>{entry}</url>\n" for entry in entries) + "</urlset>"


def loc(path: str, more: str = "") -> str:
    return f"<loc>{ORIGIN}{path}</loc>{more}"


def index(*names: str) -> str:
    entries = "".join(f"<sitemap><loc>{ORIGIN}/{name}</loc><lastmod>2026-01-02</lastmod></sitemap>" for name in names)
    return f"{HEAD}<sitemapindex {NS}>{entries}</sitemapindex>"


def gzipped(text: str) -> bytes:
    return gzip.compress(text.encode(), mtime=0)


PREFIXED = (
    '<sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9"><sm:url>'
    f"<sm:loc>{ORIGIN}/prefixed</sm:loc><sm:lastmod>2026-03-04</sm:lastmod></sm:url></sm:urlset>"
)
RICH = urlset(
    loc(
        "/pictures",
        "<image:image><image:loc>https://example.com/i.png</image:loc><image:caption>x</image:caption></image:image>"
        '<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de"/>',
    ),
    loc(
        "/news",
        "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>"
        "<news:publication_date>2026-01-01</news:publication_date><news:title>T</news:title></news:news>",
    ),
    attributes=NS
    + ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    + ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"',
)
RSS = f"""{HEAD}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Blog</title>
<link>{ORIGIN}/</link><atom:link href="{ORIGIN}/feed" rel="self" type="application/rss+xml"/>
<item><title>One</title><link>{ORIGIN}/post/1</link><pubDate>Tue, 10 Aug 2010 20:43:53 GMT</pubDate></item>
<item><link> {ORIGIN}/post/2?a=1&amp;b=2 </link><description><![CDATA[<p>Two</p>]]></description></item>
<item><title>One again</title><link>{ORIGIN}/post/1</link></item></channel></rss>"""
ATOM = f"""{HEAD}<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title><link href="{ORIGIN}/"/>
<entry><title>One</title><link href="{ORIGIN}/entry/1"/><updated>2026-01-02T03:04:05Z</updated></entry>
<entry><title>Two</title><link rel="alternate" href="{ORIGIN}/entry/2?a=1&amp;b=2"/></entry></feed>"""

SETS: dict[str, dict[str, str | bytes]] = {
    "one of each, by an index": {
        "index.xml": index(
            "pages.xml", "packed.xml.gz", "list.txt", "rss.xml", "atom.xml", "second.xml", "missing.xml", "index.xml"
        ),
        "pages.xml": urlset(loc("/"), loc("/a", "<lastmod>2026-01-02</lastmod>"), loc("/a"), loc("/b?x=1&amp;y=2")),
        "packed.xml.gz": gzipped(
            urlset(*(loc(f"/packed/{n}", "<lastmod>2026-01-02T03:04:05+00:00</lastmod>") for n in range(40)))
        ),
        "list.txt": f"{ORIGIN}/list/1\r\n\r\n  {ORIGIN}/list/2\nnot an address\nftp://example.com/x\n{ORIGIN}/list/1\n",
        "rss.xml": RSS,
        "atom.xml": ATOM,
        "second.xml": index("deep.xml.gz", "index.xml"),
        "deep.xml.gz": gzipped(urlset(loc("/deep"))),
    },
    "pages": {"s.xml": urlset(*(loc(f"/page-{n}") for n in range(200)))},
    "dates and hints": {
        "s.xml": urlset(
            loc("/1", "<lastmod>2026-01-02T03:04:05Z</lastmod><changefreq>daily</changefreq><priority>0.5</priority>"),
            loc("/2", "<lastmod>2026-01-02T03:04:05+02:00</lastmod>"),
            loc("/3", "<lastmod> 2026-01-02 </lastmod>"),
            loc("/4", "<lastmod></lastmod><priority>high</priority>"),
        )
    },
    "space and CDATA": {
        "s.xml": urlset(f"\n  <loc>\n    {ORIGIN}/spaced\n  </loc>\n", f"<loc><![CDATA[{ORIGIN}/cdata?a=1&b=2]]></loc>")
    },
    "references": {"s.xml": urlset(loc("/r?a=1&#38;b=2&#x26;c=&quot;&apos;&lt;&gt;"))},
    "not ASCII": {"s.xml": urlset(loc("/größe"), loc("/%E6%97%A5"))},
    "comments and instructions": {
        "s.xml": f'{HEAD}<?xml-stylesheet href="s.xsl"?><!-- made by hand -->'
        + urlset(loc("/1"), "<!-- no -->" + loc("/2")).removeprefix(HEAD)
    },
    "a prefix": {"s.xml": HEAD + PREFIXED},
    "no namespace": {"s.xml": urlset(loc("/1"), loc("/2"), attributes="")},
    "an old namespace": {"s.xml": urlset(loc("/1"), attributes='xmlns="http://www.google.com/schemas/sitemap/0.84"')},
    "pictures, translations and news": {"s.xml": RICH},
    "a file that breaks off": {"s.xml": urlset(loc("/1"), loc("/2"), loc("/3"))[:-40]},
    "a tag that is not closed": {"s.xml": urlset(loc("/1"), f"<loc>{ORIGIN}/2", loc("/3"))},
    "an entry without a URL": {"s.xml": urlset(loc("/1"), "<lastmod>2026-01-02</lastmod>", loc("/2"))},
    "an empty URL": {"s.xml": urlset(loc("/1"), "<loc></loc>", loc("/2"))},
    "no entries": {"s.xml": urlset()},
    "a byte order mark": {"s.xml": "\ufeff" + urlset(loc("/1"))},
    "a list with a byte order mark": {"s.txt": f"\ufeff{ORIGIN}/1\n{ORIGIN}/2"},
    "only the name says gzip": {"s.xml.gz": urlset(loc("/1"))},
    "an index of compressed lists": {
        "i.xml": index("1.txt.gz", "2.txt.gz"),
        "1.txt.gz": gzipped(f"{ORIGIN}/1\n"),
        "2.txt.gz": gzipped(f"{ORIGIN}/2\n"),
    },
    "an index that contains itself": {"i.xml": index("i.xml", "s.xml"), "s.xml": urlset(loc("/1"))},
    "RSS": {"rss.xml": RSS},
    "Atom": {"atom.xml": ATOM},
    "a page instead": {"s.xml": "<html><body><p>Not found</p></body></html>"},
    "an empty file": {"s.xml": ""},
}

SITEMAP_DIFFERENCES: list[tuple[str, dict[str, str | bytes], list[str]]] = [
    (
        "`&` instead of `&amp;` is the most common error in sitemaps. It is read, because its meaning is clear. expat stops.",
        {"s.xml": urlset(loc("/1?a=1&b=2"), loc("/2"))},
        ["/1?a=1&b=2", "/2"],
    ),
    (
        "XML is unescaped once. usp unescapes the result as HTML again, which turns `&copy=2` into `©=2`.",
        {"s.xml": urlset(loc("/1?a=1&amp;copy=2"))},
        ["/1?a=1&copy=2"],
    ),
    (
        "Space before the XML declaration is ignored. expat stops there.",
        {"s.xml": "\n" + urlset(loc("/1"))},
        ["/1"],
    ),
    (
        "A DOCTYPE is ignored and its entities are not expanded. usp refuses the file.",
        {"s.xml": HEAD + '<!DOCTYPE urlset [<!ENTITY a "x">]>' + urlset(loc("/1")).removeprefix(HEAD)},
        ["/1"],
    ),
    (
        "Compression is detected from the content. usp uses the file name and the content type.",
        {"s.xml": gzipped(urlset(loc("/1")))},
        ["/1"],
    ),
    (
        "The encoding that the file declares is used. usp reads everything as UTF-8.",
        {"s.xml": urlset(loc("/größe")).replace("UTF-8", "ISO-8859-1").encode("latin-1")},
        ["/größe"],
    ),
    (
        "A relative URL is ignored (the protocol requires absolute ones). usp keeps it.",
        {"s.xml": urlset(loc("/1"), "<loc>/2</loc>")},
        ["/1"],
    ),
    (
        "An RSS item needs only a link. usp also requires a title or a description.",
        {"s.xml": f"<rss><channel><item><link>{ORIGIN}/1</link></item></channel></rss>"},
        ["/1"],
    ),
    (
        "In an RSS item, `atom:link` and `link` are different elements. usp confuses them and stops.",
        {
            "s.xml": f'<rss xmlns:atom="http://www.w3.org/2005/Atom"><channel><item><title>1</title><link>{ORIGIN}/1</link>'
            f'<atom:link href="{ORIGIN}/x"/></item></channel></rss>'
        },
        ["/1"],
    ),
    (
        "The page of an Atom entry is `alternate` (RFC 4287 §4.2.7.2), not `self`. usp prefers `self`.",
        {
            "s.xml": f'<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>1</title>'
            f'<link rel="self" href="{ORIGIN}/api/1"/><link rel="alternate" href="{ORIGIN}/1"/></entry></feed>'
        },
        ["/1"],
    ),
    (
        "The readable beginning of an incomplete gzip file is used. usp reads the compressed bytes as text.",
        {"s.txt.gz": gzipped("".join(f"{ORIGIN}/{n}\n" for n in range(3)))[:-8]},
        ["/0", "/1", "/2"],
    ),
]


class FileResponse(AbstractWebClientSuccessResponse):
    def __init__(self, url: str, data: bytes):
        self._url, self._data = url, data

    def status_code(self) -> int:
        return 200

    def status_message(self) -> str:
        return "OK"

    def header(self, case_insensitive_name: str) -> str | None:
        return None

    def raw_data(self) -> bytes:
        return self._data

    def url(self) -> str:
        return self._url


class FileClient(AbstractWebClient):
    def __init__(self, files: dict[str, bytes]):
        self._files = files

    def set_max_response_data_length(self, max_response_data_length: int | None) -> None:
        pass

    def get(self, url: str):
        data = self._files.get(url.removeprefix(ORIGIN + "/"))
        return WebClientErrorResponse("404 Not Found", retryable=False) if data is None else FileResponse(url, data)


def run_usp(files: dict[str, str | bytes]) -> tuple[dict[str, str], list[list[str | None]]]:
    """Returns the encoded files, and the pages with dates that usp reads from the first file."""
    data = {name: content.encode() if isinstance(content, str) else content for name, content in files.items()}
    sitemap = SitemapFetcher(f"{ORIGIN}/{next(iter(data))}", recursion_level=0, web_client=FileClient(data)).sitemap()
    pages = {}
    if not isinstance(sitemap, InvalidSitemap):
        for page in sitemap.all_pages():
            date = page.last_modified
            pages.setdefault(page.url, date.isoformat() if date else None)
    return {name: base64.b64encode(content).decode() for name, content in data.items()}, sorted(
        map(list, pages.items())
    )


def sitemap_sets() -> list[dict]:
    rows = []
    for about, files in SETS.items():
        encoded, pages = run_usp(files)
        rows.append({"about": about, "root": next(iter(files)), "files": encoded, "pages": pages})
    return rows


def sitemap_differences() -> list[dict]:
    rows = []
    for why, files, paths in SITEMAP_DIFFERENCES:
        encoded, pages = run_usp(files)
        theirs, ours = sorted(url for url, _ in pages), sorted(ORIGIN + path for path in paths)
        assert theirs != ours, f"no difference any more: {why}"
        rows.append({"why": why, "root": next(iter(files)), "files": encoded, "usp": theirs, "ours": ours})
    return rows
