import re
from pathlib import Path

from docs_src.blocks.errors import coded
from docs_src.generate import DOCS, ROOT

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def test_links_lead_somewhere(page: Path) -> None:
    """Each link on a page leads to a file of this checkout, and to a heading that is there."""
    text = FENCED.sub("", page.read_text("utf-8"))
    links = [link for link in LINK.findall(text) if not link.startswith("https://")]

    assert [link for link in links if not _is_alive(page, link)] == []


def test_errors_link_to_their_entry() -> None:
    """The page that an error names has a heading for it."""
    links = [f"docs/reference/errors.md#{error.code.lower()}" for error in coded()]

    assert all(error("").docs == f"rove help {error.code}" for error in coded())
    assert [link for link in links if not _is_alive(ROOT / "README.md", link)] == []


def test_every_page_is_linked(pages: list[Path]) -> None:
    """The first page leads to every other."""
    index = DOCS / "index.md"
    linked = {(DOCS / link).resolve() for link in LINK.findall(index.read_text("utf-8"))}

    assert [page for page in pages if page not in linked | {index}] == []


def _is_alive(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return False
    return not anchor or anchor in _anchors(target.read_text("utf-8"))


def _anchors(text: str) -> set[str]:
    """Return the names that a code host gives to headings, and those given by hand."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", text), re.MULTILINE)
    plain = [re.sub(r"[^\w -]", "", heading).strip().lower() for heading in headings]
    by_hand: list[str] = re.findall(r'<a id="([^"]+)">', text)
    return {heading.replace(" ", "-") for heading in plain} | set(by_hand)
