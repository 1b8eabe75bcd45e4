"""Every link between pages of the documentation leads to a file, and to a heading or anchor in it."""

import pathlib
import re

from common import check, done

PAGES = [*pathlib.Path().glob("*.md"), *pathlib.Path("docs").glob("*.md"), *pathlib.Path("bridge").glob("*.md")]


def text_of(page):
    """The text of a page without its code blocks."""
    return re.sub(r"^(````?).*?^\1`*$", "", page.read_text(), flags=re.M | re.S)


def anchors_of(page):
    """The anchors that GitHub makes from headings, and those that are written."""
    text, anchors = text_of(page), set()
    for heading in re.findall(r"^#+ (.+)$", text, re.M):
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        number = 0
        while (anchor := f"{slug}-{number}" if number else slug) in anchors:
            number += 1
        anchors.add(anchor)
    return anchors | set(re.findall(r'<a id="([^"]+)">', text))


for page in PAGES:
    for link in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page.resolve()
        check(target.exists(), f"{page}: {link} does not exist")
        if anchor and target.suffix == ".md":
            check(anchor in anchors_of(target), f"{page}: {link} has no such heading")

check(len(PAGES) >= 10, "cannot find the pages")
done("every link between pages leads somewhere")
