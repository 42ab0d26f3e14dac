"""Find what came out garbled in the built site: ``python -m docs_src.site_check build/site``."""

import re
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Final

_CODE: Final = re.compile(r"<(pre|code)\b.*?</\1>", re.DOTALL)
_ARTICLE: Final = re.compile(r"<article.*?</article>", re.DOTALL)
_TAG: Final = re.compile(r"<[^>]+>")
#: What no reader should see outside of code: Markdown that was not understood.
_GARBLED: Final = {
    "a code fence": re.compile(r"```|~~~"),
    "a table": re.compile(r"^\s*\|.*\|\s*$|\|\s*-{3,}", re.MULTILINE),
    "a link": re.compile(r"\]\([\w./#:-]+\)"),
    "emphasis": re.compile(r"\*\*\w"),
    "a list": re.compile(r"^\s*\S.*\n\s*- \S", re.MULTILINE),
    "a marker": re.compile(r"(begin|end) [\w ]+ -->"),
}


def garbled(site: Path) -> Iterator[str]:
    """Yield each piece of Markdown that a page of the site shows as it is."""
    for page in sorted(site.rglob("*.html")):
        article = _ARTICLE.search(page.read_text("utf-8"))
        text = unescape(_TAG.sub("", _CODE.sub("", article[0] if article else "")))
        for name, pattern in _GARBLED.items():
            if found := pattern.search(text):
                yield f"{page.relative_to(site)}: {name}: {found[0].strip()[:60]!r}"


def main(arguments: list[str]) -> int:
    """Print what is garbled; return 1 if anything is, or if there is no site."""
    site = Path(arguments[0])
    if not (site / "index.html").is_file():
        sys.stderr.write(f"there is no site in {site}\n")
        return 1
    wrong = [*garbled(site)]
    sys.stdout.write("".join(f"{line}\n" for line in wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
